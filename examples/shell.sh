#!/bin/sh
# The command line in a script: an isolated desktop, an application, steps in words, what it shows.
#
# Usage: examples/shell.sh     (DESKHAND names another command than the one installed beside it, or on PATH)
set -eu
beside=$(dirname "$0")/../.venv/bin/deskhand
[ -x "$beside" ] || beside=deskhand
deskhand=${DESKHAND:-$beside}
desktop=example-$$

"$deskhand" desktop start "$desktop" --home own >/dev/null
trap '"$deskhand" desktop stop "$desktop" >/dev/null' EXIT

"$deskhand" open mousepad --desktop "$desktop" >/dev/null
"$deskhand" act --desktop "$desktop" 'type "hello from a shell"' 'key ctrl+a' 'key ctrl+c' 'wait settled' >/dev/null
"$deskhand" find hello --role textbox --desktop "$desktop"

# What could lose work asks first; in a script there is nobody to ask, and the exit code says so.
if "$deskhand" act --desktop "$desktop" 'window close Mousepad' 2>/dev/null; then
    echo "closed"
elif [ $? -eq 5 ]; then
    echo "closing unsaved work needs a person's consent"
fi
