#!/bin/sh
# Puts every shared library that a program needs, and that does not belong to glibc, into `lib` beside it, where its search
# path leads; also those that the libraries there need, which the linker never saw:
#   gather-libraries.sh node_modules/mediasoup/worker/out/Release/mediasoup-worker
set -eu
program=$1
lib=$(dirname "$program")/lib
mkdir -p "$lib"
glibc=$(dpkg --listfiles libc6)

# What is brought may need more, so until a round finds nothing new.
while :; do
  brought=
  for file in "$program" "$lib"/*.so*; do
    [ -e "$file" ] || continue
    needs=$(LD_LIBRARY_PATH=$lib ldd "$file")
    if missing=$(printf '%s\n' "$needs" | grep 'not found'); then
      printf '%s needs what is not here:\n%s\n' "$file" "$missing" >&2
      exit 1
    fi
    for library in $(printf '%s\n' "$needs" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p'); do
      name=$(basename "$library")
      [ -e "$lib/$name" ] && continue
      printf '%s\n' "$glibc" | grep --quiet --line-regexp ".*/$name" && continue
      cp --dereference "$library" "$lib/$name"
      brought=yes
    done
  done
  [ -n "$brought" ] || exit 0
done
