#!/bin/sh
# Copies every shared library that a program needs, except those of glibc, into `lib` beside it, which is in its search
# path. Includes indirect dependencies, which the linker never saw:
#   gather-libraries.sh node_modules/mediasoup/worker/out/Release/mediasoup-worker
set -eu
program=$1
lib=$(dirname "$program")/lib
mkdir -p "$lib"
glibc=$(dpkg --listfiles libc6)

# Copied libraries can need more libraries, so this repeats until a round finds no new ones.
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
