#!/bin/sh
# Builds an ffmpeg from Debian's source package that only decodes the formats of voice notes
# (services/transcriber/src/audio/formats.ts) and writes WAV. Takes about 3 MB; Debian's own package pulls in 700 MB of
# libraries for pictures and screens.
#   build-ffmpeg.sh /usr/local/bin/ffmpeg
set -eu
target=$1

# Debian's source lists come in two formats.
for list in /etc/apt/sources.list.d/*.sources; do
  [ -e "$list" ] && sed --in-place 's/^Types: deb$/Types: deb deb-src/' "$list"
done
if [ -s /etc/apt/sources.list ]; then
  sed --quiet 's/^deb /deb-src /p' /etc/apt/sources.list >/etc/apt/sources.list.d/sources.list
fi
apt-get update
apt-get install -y --no-install-recommends dpkg-dev gcc libc6-dev make xz-utils
cd "$(mktemp --directory)"
apt-get source ffmpeg
cd ffmpeg-*/

# PCM in every width that a WAV file supports, and the codecs of the other containers.
./configure \
  --disable-everything --disable-autodetect --disable-network --disable-doc --disable-debug --disable-x86asm \
  --disable-programs --enable-ffmpeg \
  --enable-protocol=file \
  --enable-demuxer=matroska,ogg,mov,mp3,wav,flac \
  --enable-parser=opus,vorbis,aac,mpegaudio,flac \
  --enable-decoder=opus,vorbis,aac,alac,mp3,flac,pcm_u8,pcm_s16le,pcm_s24le,pcm_s32le,pcm_f32le,pcm_f64le,pcm_alaw,pcm_mulaw,adpcm_ms,adpcm_ima_wav \
  --enable-filter=aresample \
  --enable-encoder=pcm_s16le --enable-muxer=wav
make --jobs "$(nproc)" ffmpeg
install -D --strip ffmpeg "$target"
"$target" -hide_banner -version
