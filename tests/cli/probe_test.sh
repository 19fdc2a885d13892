#!/bin/sh
# Detection, probing and calibrating as a user meets them, on a machine made up by a fake driver.
#   sh tests/cli/probe_test.sh RIDGELINE FAKE_NVML [FABRIC MPIRUN FAKE_GPU]
set -u
program=$1
fake=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
XDG_CONFIG_HOME=$work/config
RIDGELINE_SYSFS=$work/sys
RIDGELINE_NVML=$work/none
RIDGELINE_FAKE_NVML=""
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export XDG_CONFIG_HOME RIDGELINE_SYSFS RIDGELINE_NVML RIDGELINE_FAKE_NVML
# The MPI library frees little at its end, which is no finding about the probe.
ASAN_OPTIONS=detect_leaks=0
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM ASAN_OPTIONS
failures=0

# expect CODE WORDS COMMAND...: exit code, and words on standard output or error.
expect() {
    code=$1
    words=$2
    shift 2
    "$@" >"$work/out" 2>&1
    got=$?
    if [ "$got" -ne "$code" ] || ! grep -q -- "$words" "$work/out"; then
        echo "FAILED (exit $got, expected $code with \"$words\"): $*"
        sed 's/^/    /' "$work/out" | head -5
        failures=$((failures + 1))
    fi
}

# No accelerator: an answer of detect, an absent device for what needs one.
expect 0 "no_gpu" "$program" detect
expect 5 "no accelerator was found" "$program" estimate --model llama-3.1-8b --on local
expect 5 "no accelerator was found" "$program" advise --owned local "lora llama-3.1-8b"
expect 5 "cuda" "$program" probe --backend cuda --quick
expect 2 "expected gemm" "$program" probe --kinds gem

# An AMD card of a made-up tree of files: known by its id alone.
card=$work/sys/class/drm/card0/device
mkdir -p "$card"
echo 0x1002 >"$card/vendor"
echo 0x74a5 >"$card/device"
echo 274861129728 >"$card/mem_info_vram_total"
expect 0 "mi325x (by PCI id 74a5)" "$program" detect
expect 0 "1 x AMD Instinct MI325X" "$program" estimate --model llama-3.1-8b --method lora --on local
expect 5 "cuda" "$program" probe --backend cuda --quick
rm -r "$work/sys/class"

# Two H100 of the fake driver.
RIDGELINE_NVML=$fake
export RIDGELINE_NVML
expect 0 "h100-sxm5-80gb (by PCI id 2330)" "$program" detect
expect 0 "capped, default 700" "$program" detect
expect 0 "2 x NVIDIA H100" "$program" estimate --model llama-3.1-8b --method lora --on local
expect 0 "H100" "$program" advise --owned local "lora llama-3.1-8b"

# A short probe of the CPU leaves a calibration that later commands take.
expect 0 "written to" "$program" probe --backend cpu --quick --kinds copy
expect 0 "local-cpu" "$program" calibrate show
calibration=$(ls "$XDG_CONFIG_HOME"/ridgeline/calibration/local-cpu*.json)
expect 0 "stream copy" "$program" calibrate show "$calibration"
expect 0 "same" "$program" calibrate compare "$calibration" "$calibration"
expect 2 "expected two" "$program" calibrate compare "$calibration"

# A calibration counts for later answers and is named there; one that does not match is refused.
row='"compute": "bf16", "operator_class": "gemm", "compute_fraction": 0.111, "bandwidth_fraction": 0.8,
     "tier": "measured", "source": "my own card"'
echo '{"schema": "ridgeline/calibration/1", "measurement": {"method": 1, "created": "2026-11-21",
  "device": {"vendor": "NVIDIA", "pci_id": "2330"}, "reference": {"accelerator": "h100-sxm5-80gb",
  "peak_tflop_per_s": {"bf16": 989.5}, "memory_bandwidth_gb_per_s": 3350}},
  "kernels": [{"accelerator": "h100-sxm5-80gb", '"$row"'}]}' >"$work/mine.json"
expect 0 "my own card" "$program" estimate --model llama-3.1-8b --method lora \
    --on h100-sxm5-80gb --calibration "$work/mine.json" --explain
cp "$work/mine.json" "$XDG_CONFIG_HOME/ridgeline/calibration/"
expect 0 "my own card" "$program" estimate --model llama-3.1-8b --method lora \
    --on h100-sxm5-80gb --explain
sed 's/"2330"/"26b9"/' "$work/mine.json" >"$work/other.json"
expect 4 "26b9" "$program" estimate --model llama-3.1-8b --method lora \
    --on h100-sxm5-80gb --calibration "$work/other.json"
cp "$work/other.json" "$XDG_CONFIG_HOME/ridgeline/calibration/mine.json"
expect 0 "left out a calibration of yours" "$program" estimate --model llama-3.1-8b \
    --method lora --on h100-sxm5-80gb

# Collectives over local ranks.
if [ $# -ge 4 ]; then
    expect 0 "written to" "$4" --oversubscribe -np 3 "$3" --quick --out "$work/fabric.json"
    expect 0 "all_to_all" "$program" calibrate fit "$work/fabric.json" \
        --accelerator h100-sxm5-80gb --out "$work/fitted.json"
    expect 0 "point_to_point" "$program" calibrate show "$work/fitted.json"
    expect 2 "usage" "$4" --oversubscribe -np 2 "$3" --buffers disk

    # GPU buffers: the libraries and devices are a test's own, or absent.
    RIDGELINE_CUDART=$work/none
    RIDGELINE_NCCL=$5
    RIDGELINE_CUBLAS=$5
    export RIDGELINE_CUDART RIDGELINE_NCCL RIDGELINE_CUBLAS
    expect 5 "CUDA runtime" "$4" --oversubscribe -np 2 "$3" --quick --buffers gpu
    RIDGELINE_CUDART=$5
    RIDGELINE_NCCL=$work/none
    expect 5 "NCCL" "$4" --oversubscribe -np 2 "$3" --quick --buffers gpu
    RIDGELINE_NCCL=$5
    RIDGELINE_FAKE_GPU=none
    export RIDGELINE_FAKE_GPU
    expect 5 "no GPU can be used" "$4" --oversubscribe -np 2 "$3" --quick --buffers gpu
    RIDGELINE_FAKE_GPU=all
    expect 0 "written to" "$4" --oversubscribe -np 3 "$3" --quick --buffers gpu \
        --accelerator h100-sxm5-80gb --out "$work/gpu.json"
    expect 0 "overlap: " "$program" calibrate fit "$work/gpu.json" \
        --accelerator h100-sxm5-80gb --out "$work/gpu-fitted.json"
    expect 0 "NCCL 2.28.9" "$program" calibrate show "$work/gpu-fitted.json"
fi
echo "$failures failures"
[ "$failures" -eq 0 ]
