#!/bin/sh
# Installs those of the named Debian packages that are missing; needs root only when one is.
#   sh cmake/need_packages.sh cmake g++ ...
set -eu
if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is no Debian system; what is needed, by its Debian 12 names: $*" >&2
    exit 0
fi
missing=""
for package in "$@"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo true; then  # there may be a sudo that is not for this user
    as_root="sudo"
else
    echo "These packages are missing and installing them needs root. Ask an administrator for:" >&2
    echo "    apt-get install$missing" >&2
    exit 1
fi
echo "Installing:$missing" >&2
# shellcheck disable=SC2086  # the list and the empty prefix are split into words on purpose
{
    $as_root apt-get update -qq
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        $missing >/dev/null
}
