/** Mono sound as numbers from -1 to 1. */
export interface SampledSound {
  readonly samples: Float32Array;
  readonly rate: number;
}

const pcm = 1;
const float = 3;
const extensible = 0xfffe;

/** Readers by sample kind: bytes per sample, and its value. */
const readers: Readonly<Record<string, { bytes: number; read: (view: DataView, at: number) => number }>> = {
  '1/8': { bytes: 1, read: (view, at) => view.getUint8(at) / 128 - 1 },
  '1/16': { bytes: 2, read: (view, at) => view.getInt16(at, true) / 32_768 },
  '1/24': {
    bytes: 3,
    read: (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608,
  },
  '1/32': { bytes: 4, read: (view, at) => view.getInt32(at, true) / 2_147_483_648 },
  '3/32': { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  '3/64': { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
};

interface WavChunks {
  kind: number;
  channels: number;
  rate: number;
  bits: number;
  data: { start: number; end: number };
}

/** Finds the relevant chunks of a RIFF file. Interrupted recorders leave lengths that reach beyond its end. */
function readWavChunks(view: DataView): WavChunks | undefined {
  const tag = (at: number) => (at + 4 <= view.byteLength ? view.getUint32(at) : 0);
  if (tag(0) !== 0x52_49_46_46 || tag(8) !== 0x57_41_56_45) return undefined;
  let format: Omit<WavChunks, 'data'> | undefined;
  for (let at = 12; at + 8 <= view.byteLength;) {
    const start = at + 8;
    const size = view.getUint32(at + 4, true);
    const end = Math.min(start + size, view.byteLength);
    if (tag(at) === 0x66_6d_74_20 && end - start >= 16) {
      const kind = view.getUint16(start, true);
      format = {
        // An extensible format stores its real kind at the start of its identifier.
        kind: kind === extensible && end - start >= 26 ? view.getUint16(start + 24, true) : kind,
        channels: view.getUint16(start + 2, true),
        rate: view.getUint32(start + 4, true),
        bits: view.getUint16(start + 14, true),
      };
    }
    if (tag(at) === 0x64_61_74_61) return format && { ...format, data: { start, end } };
    at = start + size + (size % 2);
  }
  return undefined;
}

interface PlainWav {
  view: DataView;
  channels: number;
  rate: number;
  reader: { bytes: number; read: (view: DataView, at: number) => number };
  start: number;
  /** Number of sample frames; each holds one sample per channel. */
  frames: number;
}

/** Returns undefined if the bytes are no WAV file, or one with anything but plain samples. */
function openWav(bytes: Uint8Array): PlainWav | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wavChunks = readWavChunks(view);
  const reader =
    wavChunks && readers[`${wavChunks.kind === float ? float : wavChunks.kind === pcm ? pcm : 0}/${wavChunks.bits}`];
  if (!wavChunks || !reader || wavChunks.channels < 1 || wavChunks.rate < 1) return undefined;
  const { channels, rate, data } = wavChunks;
  const frames = Math.floor((data.end - data.start) / (reader.bytes * channels));
  return { view, channels, rate, reader, start: data.start, frames };
}

/** Returns the length of a WAV file with plain samples, in seconds. Undefined for anything else. */
export function wavSeconds(bytes: Uint8Array): number | undefined {
  const wav = openWav(bytes);
  return wav && wav.frames / wav.rate;
}

/** Returns the sound of a WAV file with plain samples, its channels mixed. Undefined for anything else. */
export function decodeWav(bytes: Uint8Array): SampledSound | undefined {
  const wav = openWav(bytes);
  if (!wav) return undefined;
  const { view, channels, rate, reader, start, frames } = wav;
  const frameBytes = reader.bytes * channels;
  const samples = new Float32Array(frames);
  for (let frame = 0; frame < samples.length; frame += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1) {
      sum += reader.read(view, start + frame * frameBytes + channel * reader.bytes);
    }
    const value = sum / channels;
    samples[frame] = Number.isFinite(value) ? value : 0;
  }
  return { samples, rate };
}

/** Resamples a sound. Smooths away what the new rate cannot carry, which does not affect speech. */
export function resample({ samples, rate }: SampledSound, wanted: number): Float32Array {
  if (rate === wanted) return samples;
  const step = rate / wanted;
  const result = new Float32Array(Math.floor(samples.length / step));
  for (let index = 0; index < result.length; index += 1) {
    const from = index * step;
    const to = Math.max(from + 1, from + step);
    let sum = 0;
    let weights = 0;
    for (let at = Math.floor(from); at < to && at < samples.length; at += 1) {
      const weight = Math.min(at + 1, to) - Math.max(at, from);
      sum += (samples[at] ?? 0) * weight;
      weights += weight;
    }
    result[index] = weights === 0 ? 0 : sum / weights;
  }
  return result;
}

/** Builds a mono 16-bit WAV file. */
export function encodeWav({ samples, rate }: SampledSound): Buffer {
  const file = Buffer.alloc(44 + samples.length * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(pcm, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((sample, index) => {
    file.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), 44 + index * 2);
  });
  return file;
}
