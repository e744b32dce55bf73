#!/bin/sh
# Owns one process of the launcher and ends it when the launcher is gone: the launcher holds the
# other end of standard input, and whatever ends the launcher, kill -9 included, closes it. Postgres,
# Redis and NATS know nothing of the launcher, and a service of ours may hang when it should stop.
# A shell rather than Node, for it starts at once, weighs nothing, and outlives a `killall -9 node`.
#
#   guard.sh <stop signal> <grace seconds> <program> <arguments...>
#
# A line on standard input names another stop signal to use; the end of input uses the first
# argument, where 0 is for a program that notices by itself. Descriptor 3 is the channel between the
# launcher and a program of ours, 4 is this script (the launcher opens it, for the user that this
# runs as may not reach the folder it lies in), and 5 is told the process id of the program.
stop_signal=$1
grace=$2
shift 2

exec 4<&0 </dev/null
"$@" 4<&- 5>&- &
child=$!
echo "$child" >&5
exec 3>&- 5>&-

(
  # A Ctrl-C in the terminal is for the launcher, which then stops things in their order.
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
