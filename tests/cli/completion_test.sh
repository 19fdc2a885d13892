#!/bin/sh
# What may follow a command line, help and the manual, all from the table of options.
# Usage: completion_test.sh RIDGELINE
set -u
ridgeline=$1
failures=0
checks=0

# follows WORD ARGUMENTS...: WORD is among what may follow.
follows() {
    word=$1
    shift
    checks=$((checks + 1))
    if ! "$ridgeline" __complete "$@" | cut -f 1 | grep -qx -- "$word"; then
        failures=$((failures + 1))
        echo "FAILED: $word does not follow: $*"
    fi
}

# prints WORD ARGUMENTS...: exit 0, WORD on stdout, nothing on stderr.
prints() {
    word=$1
    shift
    checks=$((checks + 1))
    if ! "$ridgeline" "$@" 2>&1 | grep -q -- "$word" || ! "$ridgeline" "$@" >/dev/null 2>&1; then
        failures=$((failures + 1))
        echo "FAILED: $* does not print $word"
    fi
}

follows estimate est
follows completions ""
follows --model estimate --mo
follows --sequence estimate --model llama-3.1-8b --se
follows llama-3.1-8b estimate --model llama-3.1-
follows --model=llama-3.1-8b estimate --model=llama-3.1-
follows h100-sxm5-80gb estimate --on h100
follows l40s,h100-sxm5-80gb advise --on l40s,h1
follows qlora advise --method q
follows true estimate --compile t
follows list catalog ""
follows machines catalog list m
follows l40s catalog show l4
follows vllm profiles show vl
follows h200-sxm-141gb compare h100-sxm5-80gb h2
follows zsh completions z
for given in --json --method; do
    checks=$((checks + 1))
    if "$ridgeline" __complete estimate --json --method lora --on l40s -- | cut -f 1 | grep -qx -- "$given"; then
        failures=$((failures + 1))
        echo "FAILED: $given is offered twice"
    fi
done
checks=$((checks + 1))
if [ -n "$("$ridgeline" __complete nonsense --x 2>&1)" ]; then
    failures=$((failures + 1))
    echo "FAILED: an unknown command has completions"
fi

prints "ridgeline help" # bare
prints "rtx-3090" "can my 3090 run llama-3.1-8b" # a sentence is a question
prints "^{" "can my 3090 run llama-3.1-8b" --json
prints "Subcommands\|SUBCOMMAND" help
prints "--micro-batch" help estimate
prints "ridgeline [0-9]" -V
prints "ridgeline [0-9]" --version
prints "complete -o default" completions bash
prints "#compdef" completions zsh
prints "commandline" completions fish
prints "ridgeline-estimate" __manual
prints "^.Nd" __manual estimate
checks=$((checks + 1))
"$ridgeline" help nonsense >/dev/null 2>&1
[ $? -eq 2 ] || { failures=$((failures + 1)); echo "FAILED: help of no command"; }
checks=$((checks + 1))
"$ridgeline" completions tcsh >/dev/null 2>&1
[ $? -eq 2 ] || { failures=$((failures + 1)); echo "FAILED: completions of an unknown shell"; }

# The script works in bash itself.
if command -v bash >/dev/null; then
    checks=$((checks + 1))
    found=$(bash -c 'source <("$0" completions bash)
        COMP_LINE="$0 estimate --method ql" COMP_POINT=9999 COMP_WORDS=() COMP_CWORD=0
        _ridgeline; echo "${COMPREPLY[*]}"' "$ridgeline")
    [ "$found" = qlora ] || { failures=$((failures + 1)); echo "FAILED: bash offers \"$found\""; }
fi
for page in $("$ridgeline" __manual); do
    command -v mandoc >/dev/null || break
    checks=$((checks + 1))
    subject=${page#ridgeline-}
    if "$ridgeline" __manual "$subject" | mandoc -T lint -W error >/dev/null; then :; else
        failures=$((failures + 1))
        echo "FAILED: mandoc on $page"
    fi
done
echo "$((checks - failures)) passed, $failures failed"
[ "$failures" -eq 0 ]
