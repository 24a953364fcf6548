#!/bin/sh
# Do `make book` and `make test` hold on a machine that has Python, make and nothing else?
#
#     tests/bare_machine.sh             both commands, whole: up to an hour
#     tests/bare_machine.sh --short     set up, execute a chapter, some of the tests
#     tests/bare_machine.sh --here      not in a new Debian, even where one could be made
#
# Root with debootstrap gets a new Debian from the package archive, where a user without rights, in
# the plainest locale, has python3, python3-venv and make, but no git. Anyone else gets an empty
# home, a path with Python, make and the basic tools, and no other variable, on this machine. The
# project is copied as git would commit it, without .git. All is removed at the end, unless the
# variable ROOM names a folder to keep.
set -eu
cd "$(dirname "$0")/.."
commands='make book && make test'
here=
for option in "$@"; do
    case $option in
    --short) commands='make chapter NAME=01_introduction && OMP_NUM_THREADS=1 .venv/bin/python -m pytest -q \
        tests/book tests/reproduction/pipeline tests/reproduction/datasets -m "not html"' ;;
    --here) here=yes ;;
    *) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
done

if [ -n "${ROOM:-}" ]; then
    mkdir -p "$ROOM"
    room=$(cd "$ROOM" && pwd)
else
    room=$(mktemp -d)
fi
leave() {
    if mountpoint -q "$room/proc" 2> /dev/null; then umount "$room/proc" || return; fi
    [ -n "${ROOM:-}" ] || rm -rf "$room"
}
trap leave EXIT

copy() { # the project into a new folder
    rm -rf "$1"
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$1"
}

if [ -z "$here" ] && [ "$(id -u)" = 0 ] && command -v debootstrap > /dev/null; then
    [ -x "$room/usr/bin/make" ] || debootstrap --variant=minbase \
        --include=python3,python3-venv,make,ca-certificates "${SUITE:-bookworm}" "$room" > "$room.log"
    rm -f "$room.log"
    # How this machine reaches the network, which certificates it trusts, and what processes see.
    cp /etc/resolv.conf "$room/etc/"
    cp /etc/ssl/certs/ca-certificates.crt "$room/etc/ssl/certs/"
    chmod 1777 "$room/dev/shm"
    mountpoint -q "$room/proc" || mount -t proc proc "$room/proc" || echo "without /proc"
    chroot "$room" id reader > /dev/null 2>&1 || chroot "$room" useradd -m reader
    copy "$room/project"
    chroot "$room" chown -R reader /project
    certificates=/etc/ssl/certs/ca-certificates.crt
    chroot "$room" su reader -c "cd /project && exec env -i HOME=\$HOME PATH=/usr/bin:/bin \
        PIP_CERT=$certificates REQUESTS_CA_BUNDLE=$certificates sh -c '$commands'"
else
    copy "$room/project"
    mkdir -p "$room/home" "$room/bin"
    for tool in make sh env uname cat rm cp mv mkdir ls sed touch; do
        found=$(command -v "$tool") && ln -sf "$found" "$room/bin/$(basename "$tool")"
    done
    ln -sf "$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')" "$room/bin/python3"
    cd "$room/project"
    env -i HOME="$room/home" PATH="$room/bin" sh -c "$commands"
fi
echo "It holds."
