#!/bin/sh
# Bad input of many shapes: each is a one-line error with the right exit code, nothing on stdout and
# no crash. Usage: bad_input_test.sh RIDGELINE
set -u
ridgeline=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
checks=0

# expect CODE WORD ARGUMENTS...: exit code CODE, WORD in the error, nothing on stdout.
expect() {
    code=$1
    word=$2
    shift 2
    checks=$((checks + 1))
    "$ridgeline" "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    if [ "$got" -ne "$code" ] || [ -s "$work/out" ] || ! grep -qi -- "$word" "$work/err"; then
        failures=$((failures + 1))
        echo "FAILED: $* -> exit $got (expected $code), expected \"$word\" in:"
        head -n 3 "$work/err"
        [ -s "$work/out" ] && echo "and stdout is not empty"
    fi
}

workload() { # workload NAME JSON
    printf '%s' "$2" >"$work/$1.json"
}

expect 2 "estimat" estimat
expect 2 "memry" estimate --memry 3
# Words of other tools, and of what stands alone here.
expect 2 "stands alone" ask "what gpu for a 70b fine-tune"
for named in global-batch-size:batch zero:sharding lora-r:rank n-gpu-layers:gpu-layers num-gpus:on flash-attention:attention; do
    expect 2 "called --${named#*:} here" estimate --model llama-3.1-8b "--${named%:*}" 4
done
expect 2 "nothing was asked" advise
expect 4 "a copy of which runs on each" advise --model hiera-base-224 --method full --expert 8
expect 4 "kernels are answered by" compare h100-sxm5-80gb l40s --model llama-3.1-8b --kernel read
expect 4 "kernels are answered by" check --model llama-3.1-8b --kernel read --on h100-sxm5-80gb
expect 2 "a value is missing before --on" estimate --optimizer-in-backward --on rtx-4090
expect 4 "llama" estimate --model lama-3.1-8b --on h100-sxm5-80gb
expect 2 "h100" estimate --model llama-3.1-8b --on h100-sxm5-80gbb
expect 2 "expected" estimate --model llama-3.1-8b --on h100-sxm5-80gb:0
expect 2 "expected" estimate --model llama-3.1-8b --on h100-sxm5-80gb:-8
expect 2 "expected" estimate --model llama-3.1-8b --on h100-sxm5-80gb:1e308
expect 2 "expected" estimate --model llama-3.1-8b --on h100-sxm5-80gb:nan
for value in -1 0 nan 1e308 9999999999999999999999999999999999999999 abc; do
    expect 2 "micro-batch" estimate --model llama-3.1-8b --on h100-sxm5-80gb --micro-batch "$value"
    expect 2 "sequence" estimate --model llama-3.1-8b --on h100-sxm5-80gb --sequence "$value"
done
expect 2 "method" estimate --model llama-3.1-8b --on h100-sxm5-80gb --method loraa

# What means nothing of the model, the task or the stack is refused, with the word that is meant.
image="estimate --model resnet-50 --on h100-sxm5-80gb"
expect 4 "--image-size" $image --task train --sequence 2048
expect 4 "denoises no pictures" $image --task train --steps 20
expect 4 "no recurrent network" $image --task train --encoder-steps 20
expect 4 "writes no tokens" $image --task inference --gpu-layers 5
expect 4 "sees no pictures" estimate --model gcn-ogbn-products-3x256 --task train --on l40s --image-size 64
serve="estimate --model llama-3.1-8b --task inference --on h100-sxm5-80gb"
expect 4 "framework llama.cpp" $serve --framework vllm --gpu-layers 10
expect 4 "not known apart" $serve --framework trtllm --cuda-graphs false
expect 4 "trains nothing" $serve --optimizer sgd
expect 4 "trains nothing" $serve --recompute full
expect 4 "--gpu-layers" $serve --offload-parameters cpu
expect 4 "sequence" $serve --encoder-steps 9
expect 2 "sequence" estimate --model llama-3.1-8b --on l40s --max length
for sweep in x batch batch= batch=0..4 batch=8..4 batch=4,2 batch=1..1e308 batch=nan..2 batches=1..8; do
    expect 2 "sweep" estimate --model llama-3.1-8b --on h100-sxm5-80gb --sweep "$sweep"
done
expect 2 "1e6" estimate --model llama-3.1-8b --on h100-sxm5-80gb --sweep accelerators=2000000
expect 2 "expected" estimate --model llama-3.1-8b --on l40s --task inference --ttft soon
expect 2 "without requests" estimate --model llama-3.1-8b --on h100-sxm5-80gb --ttft 500ms
expect 2 "request-rate" estimate --model llama-3.1-8b --on l40s --request-rate -1
expect 2 "request-rate" estimate --model llama-3.1-8b --task inference --on l40s --request-rate 1e-41
expect 2 "output-tokens" estimate --model llama-3.1-8b --on l40s --output-tokens 1e-320
expect 2 "expected 0, or a number from 1" estimate --model llama-3.1-8b --on l40s --input-tokens 0.5
printf 'time,words\n1,2\n' >"$work/load.csv"
expect 4 "missing.csv" estimate --model llama-3.1-8b --on l40s --workload-trace "$work/missing.csv"
expect 4 "prompt tokens" estimate --model llama-3.1-8b --on l40s --workload-trace "$work/load.csv"
expect 2 "which says it" estimate --model llama-3.1-8b --on l40s --workload-trace "$work/load.csv" --input-tokens 5
expect 2 "without --sweep" estimate --model llama-3.1-8b --on h100-sxm5-80gb --svg "$work/chart.svg"
expect 2 "hardware" roofline --model llama-3.1-8b
expect 4 "needs\|tensor" roofline --model llama-3.1-8b --on h100-sxm5-80gb:8 --tensor 7
expect 1 "written" roofline --model llama-3.1-8b --on h100-sxm5-80gb --svg "$work/missing/chart.svg"
expect 2 "deadline" advise --model 7b --deadline 12
expect 2 "budget" advise --model 7b --budget -5
expect 4 "tensor" estimate --model llama-3.1-8b --on h100-sxm5-80gb:8 --tensor 7
expect 4 "data" estimate --model llama-3.1-8b --on h100-sxm5-80gb:8 --tensor 2 --data 8
expect 4 "missing" estimate "$work/missing.json" --on h100-sxm5-80gb
mkdir "$work/folder.json"
expect 4 "folder" estimate "$work/folder.json" --on h100-sxm5-80gb
workload truncated '{"schema": "ridgeline/workload/1", "model": "llama-3.1-8b", "batch": {"mic'
expect 4 "truncated.json" estimate "$work/truncated.json" --on h100-sxm5-80gb
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "[" }' >"$work/deep.json"
expect 4 "deep.json" estimate "$work/deep.json" --on h100-sxm5-80gb
workload key '{"schema": "ridgeline/workload/1", "modl": "llama-3.1-8b"}'
expect 4 "model" estimate "$work/key.json" --on h100-sxm5-80gb
workload huge '{"schema": "ridgeline/workload/1", "model": "llama-3.1-8b", "batch": {"micro": 1e308}}'
expect 4 "micro" estimate "$work/huge.json" --on h100-sxm5-80gb
workload shape '{"schema": "ridgeline/workload/1", "model": ["llama"], "batch": 3, "parallel": null}'
expect 4 "model" estimate "$work/shape.json" --on h100-sxm5-80gb
workload number '3'
expect 4 "number.json" estimate "$work/number.json" --on h100-sxm5-80gb
workload source '{"id": "x", "name": "X"}'
expect 2 "storage" catalog list strage
expect 2 "software" profiles list --kind sofware
expect 2 "nvme-gen5" estimate --model llama-3.1-8b --on h100-sxm5-80gb --storage nvme-gen5
expect 4 "source.json" catalog check "$work/source.json"
expect 4 "nowhere" validate "$work/nowhere.json"
expect 4 "none" advise "what GPU for a 7b fine-tune" --catalog "$work/none"
workload twice '{"model": "llama-3.1-8b", "batch": {"micro": 1, "micro": 2}}'
expect 4 "states \"micro\" twice" estimate "$work/twice.json" --on h100-sxm5-80gb
# What means nothing of such a work.
for size in tensor pipeline context expert virtual-pipeline; do
    expect 4 "a copy of which runs on each accelerator" estimate --model resnet-50 --on a100-sxm4-80gb:8 --$size 2
done
expect 2 "--sequence: found beside a kernel" estimate --kernel gemm --size 4096 --sequence 8 --on h100-sxm5-80gb
expect 2 "--fp16-accumulate: is of matrix products in fp16 alone" estimate --kernel gemm --size 4096 --dtype bf16 --fp16-accumulate true --on rtx-3090
expect 2 "--model: found beside a kernel" estimate --kernel gemm --size 4096 --model gpt2 --on h100-sxm5-80gb
expect 2 "which runs transformers" emit --to vllm --model resnet-50 --on l40s
# Options of another verb.
expect 2 "of \`ridgeline calibrate fit\`" calibrate show --accelerator l40s
expect 2 "of \`ridgeline prices import\`" prices list --provider lambda
expect 2 "of \`ridgeline prices import\` and \`remove\`" prices sources lambda
expect 2 "of \`ridgeline profiles show\`" profiles list --context 8
expect 2 "expected a number from 1" serve --threads 0
expect 2 "completions" completion bash
expect 2 "\-\-from FILE" import trainer.yml
expect 2 "ridgeline report" report
printf 'base_model: meta-llama/Llama-3.1-8B\nsequence_len: 1e30\nmicro_batch_size: 2\n' >"$work/axolotl.yml"
expect 4 "axolotl.yml: sequence_len: found 1e+30" check "$work/axolotl.yml" --on l40s

# Errors of --json: one JSON object on stderr.
"$ridgeline" estimate --json --model nope-nope --on h100-sxm5-80gb >"$work/out" 2>"$work/err"
checks=$((checks + 1))
if [ -s "$work/out" ] || ! grep -q '^{"error":{' "$work/err"; then
    failures=$((failures + 1))
    echo "FAILED: --json error form"
fi
# A closed pipe ends silently.
checks=$((checks + 1))
"$ridgeline" catalog list 2>"$work/err" | head -n 1 >/dev/null
if [ -s "$work/err" ]; then
    failures=$((failures + 1))
    echo "FAILED: a closed pipe prints an error"
fi
# A plan that does not fit is an answer: exit 3 and a full report.
checks=$((checks + 1))
"$ridgeline" estimate --model llama-3.1-70b --method full --on rtx-4090 >"$work/out" 2>/dev/null
if [ $? -ne 3 ] || ! grep -q "does not fit" "$work/out"; then
    failures=$((failures + 1))
    echo "FAILED: a workload that does not fit"
fi
echo "$((checks - failures)) passed, $failures failed"
[ "$failures" -eq 0 ]
