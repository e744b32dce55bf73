#!/bin/sh
# Owns one process of the launcher and ends it when the launcher is gone. The launcher holds the other end of standard
# input, which closes when the launcher ends for any reason, even kill -9. Postgres, Redis and NATS do not know the
# launcher, and one of our services may hang when it should stop. This is a shell script because a shell starts at once,
# uses little memory, and survives `killall -9 node`.
#
#   guard.sh <stop signal> <grace seconds> <program> <arguments...>
#
# A line on standard input names another stop signal. End of input uses the first argument; 0 is for a program that
# notices by itself. Descriptor 3 is the channel between the launcher and one of our programs. Descriptor 4 is this
# script, opened by the launcher because the script's user may be unable to reach its folder. The process ID of the
# program is written to descriptor 5.
stop_signal=$1
grace=$2
shift 2

exec 4<&0 </dev/null
"$@" 4<&- 5>&- &
child=$!
echo "$child" >&5
exec 3>&- 5>&-

(
  # Ignored here: a Ctrl-C in the terminal is for the launcher, which then stops everything in order.
  trap '' INT TERM HUP QUIT PIPE
  read -r asked <&4 && stop_signal=$asked
  exec >/dev/null 2>&1
  kill -s "$stop_signal" "$child"
  waited=0
  while kill -0 "$child" && [ "$waited" -lt $((grace * 10)) ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
  kill -s KILL "$child"
) &
watcher=$!
exec 4<&-

trap '' INT TERM HUP QUIT
wait "$child"
code=$?
kill -s KILL "$watcher" 2>/dev/null
exit "$code"
