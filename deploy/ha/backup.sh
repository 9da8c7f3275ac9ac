#!/bin/bash
# Makes a backup where the leader is, and does nothing elsewhere: run it on all machines, as the user postgres, with "full" once a week and
# with "incr" on the other days. It exits with another code than 0 if the leader could not make one.
set -eu
[ "$(curl -s -m 5 -o /dev/null -w '%{http_code}' "http://${MACHINE:?}:8008/primary")" = 200 ] || exit 0
exec pgbackrest --stanza=freehold --type="${1:-incr}" backup
