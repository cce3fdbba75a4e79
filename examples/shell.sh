#!/bin/sh
# The command line in a script: an isolated desktop, an application, steps in words, what it shows.
#
# Usage: examples/shell.sh     (DESKHAND names the command where it is not on PATH)
set -eu
deskhand=${DESKHAND:-deskhand}
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
