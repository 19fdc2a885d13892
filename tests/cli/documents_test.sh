#!/bin/sh
# Runs every command that README.md, examples/README.md and docs/ show in a console block, from the root of
# the repository. Each must give an answer (exit code 0, or 3: nothing fits). A block with the line
# <!-- checked --> above it must print exactly what it shows.
#
#   sh tests/cli/documents_test.sh PROGRAM          test
#   sh tests/cli/documents_test.sh PROGRAM update   rewrite what the blocks show
set -u
if [ $# -lt 1 ]; then
    echo "usage: documents_test.sh PROGRAM [update]" >&2
    exit 2
fi
case $1 in
    /*) program=$1 ;;
    *) program=$(pwd)/$1 ;;
esac
mode=${2:-test}
cd "$(dirname "$0")/../.." || exit 1

# The age of prices is judged on this day, so that answers do not change with the calendar.
SOURCE_DATE_EPOCH=1795219200
NO_COLOR=1
export SOURCE_DATE_EPOCH NO_COLOR

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
commands=0
failures=0

ridgeline() {
    "$program" "$@"
}

fail() {
    failures=$((failures + 1))
    printf 'FAIL %s: %s\n' "$document" "$1"
}

# Runs the commands of $work/block; leaves what it should show in $work/real.
run_block() {
    : >"$work/real"
    shows_output=no
    while IFS= read -r shown; do
        case $shown in
            '$ ridgeline '*)
                commands=$((commands + 1))
                printf '%s\n' "$shown" >>"$work/real"
                code=0
                (eval "${shown#\$ }") >"$work/out" 2>"$work/err" </dev/null || code=$?
                cat "$work/out" >>"$work/real"
                if [ "$code" -ne 0 ] && [ "$code" -ne 3 ]; then
                    fail "$shown gave exit code $code: $(head -n 3 "$work/err")"
                fi
                ;;
            '$ '*) fail "$shown is no command of ridgeline" ;;
            *) shows_output=yes ;;
        esac
    done <"$work/block"
}

finish_block() {
    run_block
    if [ "$checked" = yes ] && [ "$mode" = test ] && ! cmp -s "$work/block" "$work/real"; then
        fail "a checked block shows something else than the program prints:"
        diff -u "$work/block" "$work/real"
    fi
    if [ "$shows_output" = yes ]; then
        cat "$work/real" >>"$work/new"
    else
        cat "$work/block" >>"$work/new"
    fi
}

read_document() {
    inside=no
    checked=no
    : >"$work/new"
    while IFS= read -r line; do
        if [ "$inside" = yes ]; then
            if [ "$line" = '```' ]; then
                finish_block
                inside=no
                checked=no
                printf '%s\n' "$line" >>"$work/new"
            else
                printf '%s\n' "$line" >>"$work/block"
            fi
            continue
        fi
        printf '%s\n' "$line" >>"$work/new"
        case $line in
            '```console')
                inside=yes
                : >"$work/block"
                ;;
            '<!-- checked -->') checked=yes ;;
            '') ;;
            *) checked=no ;;
        esac
    done <"$document"
    if [ "$inside" = yes ]; then
        fail "a console block has no end"
    elif [ "$mode" = update ] && ! cmp -s "$work/new" "$document"; then
        cat "$work/new" >"$document"
    fi
}

for document in README.md examples/README.md docs/*.md; do
    read_document
done
printf '%s commands, %s failures\n' "$commands" "$failures"
[ "$commands" -gt 0 ] && [ "$failures" -eq 0 ]
