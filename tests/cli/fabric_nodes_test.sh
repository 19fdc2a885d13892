#!/bin/sh
# The fabric probe on two nodes: network namespaces of this machine, joined by a virtual cable.
#   sh tests/cli/fabric_nodes_test.sh RIDGELINE FABRIC MPIRUN
# Exit 77 (skipped) where namespaces cannot be made: no root, no iproute2, a container without them.
set -u
program=$1
fabric=$2
mpirun=$3
work=$(mktemp -d) || exit 1
one=ridgeline-one-$$
two=ridgeline-two-$$
tidy() {
    ip netns del "$one" 2>/dev/null
    ip netns del "$two" 2>/dev/null
    rm -rf "$work"
}
trap tidy EXIT
trap 'exit 1' INT TERM

skip() {
    echo "skipped: $*"
    exit 77
}

for tool in ip unshare hostname; do
    command -v $tool >/dev/null || skip "no $tool (apt-get install iproute2 util-linux hostname)"
done
# A command on a node: in its network and under its name.
cat >"$work/on" <<END
#!/bin/sh
node=\$1
shift
exec ip netns exec \$node unshare --uts sh -c 'hostname "\$0" && eval "\$@"' \$node "\$@"
END
chmod +x "$work/on"

# The names of the links are short: they may have 15 characters.
made() {
    ip netns add "$one" && ip netns add "$two" &&
        ip link add rl1_$$ netns "$one" type veth peer name rl2_$$ netns "$two" &&
        ip -n "$one" addr add 10.213.7.1/24 dev rl1_$$ && ip -n "$one" link set rl1_$$ up &&
        ip -n "$two" addr add 10.213.7.2/24 dev rl2_$$ && ip -n "$two" link set rl2_$$ up &&
        ip -n "$one" link set lo up && ip -n "$two" link set lo up &&
        "$work/on" "$one" true && "$work/on" "$two" true
}
made >"$work/made" 2>&1 || skip "no network namespaces: $(head -1 "$work/made")"

# What ssh does between real nodes.
cat >"$work/agent" <<END
#!/bin/sh
node=$one
[ "\$1" = 10.213.7.2 ] && node=$two
shift
exec "$work/on" \$node "\$@"
END
chmod +x "$work/agent"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# The MPI library frees little at its end, which is no finding about the probe.
export ASAN_OPTIONS=detect_leaks=0
if ! "$work/on" "$one" timeout 120 "$mpirun" --mca plm_rsh_agent "$work/agent" \
    --mca btl tcp,self --mca btl_tcp_if_include 10.213.7.0/24 \
    --mca oob_tcp_if_include 10.213.7.0/24 --host 10.213.7.1:2,10.213.7.2:2 --oversubscribe \
    -np 4 "$fabric" --quick --out "$work/fabric.json" >"$work/out" 2>&1; then
    echo "FAILED: the probe on two nodes"
    sed 's/^/    /' "$work/out" | tail -20
    exit 1
fi
grep -q "4 ranks on 2 nodes" "$work/out" || {
    echo "FAILED: expected \"4 ranks on 2 nodes\""
    tail -3 "$work/out"
    exit 1
}
"$program" calibrate fit "$work/fabric.json" --accelerator h100-sxm5-80gb >"$work/fit" 2>&1
grep -q "all_reduce *4 on 2" "$work/fit" || {
    echo "FAILED: the fit does not say \"4 on 2\""
    head -20 "$work/fit"
    exit 1
}
echo "ok: 4 ranks on 2 nodes"
