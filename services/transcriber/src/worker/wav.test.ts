import { decodeWav, resample, encodeWav } from './wav.ts';

const tone = (seconds: number, rate: number, hertz = 440) =>
  Float32Array.from({ length: seconds * rate }, (_, at) => Math.sin((2 * Math.PI * hertz * at) / rate) / 2);

/** Builds a WAV file from hand-written samples. */
function wavOf({ kind = 1, channels = 1, rate = 8_000, bits = 16, data = Buffer.alloc(0), extensible = false }) {
  const format = Buffer.alloc(extensible ? 40 : 16);
  format.writeUInt16LE(extensible ? 0xfffe : kind, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt16LE(bits, 14);
  if (extensible) format.writeUInt16LE(kind, 24);
  const chunk = (name: string, bytes: Buffer) => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(bytes.length);
    return Buffer.concat([Buffer.from(name), size, bytes, Buffer.alloc(bytes.length % 2)]);
  };
  const body = Buffer.concat([chunk('LIST', Buffer.from('odd')), chunk('fmt ', format), chunk('data', data)]);
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), body]);
}

test('a written file can be read back', () => {
  const samples = tone(0.5, 16_000);
  const sound = decodeWav(encodeWav({ samples, rate: 16_000 }));
  expect(sound?.rate).toBe(16_000);
  expect(sound?.samples).toHaveLength(samples.length);
  sound?.samples.forEach((value, at) => expect(Math.abs(value - samples[at]!)).toBeLessThan(0.001));
});

test.each<[string, Parameters<typeof wavOf>[0], number[]]>([
  ['8 bits', { bits: 8, data: Buffer.from([0, 128, 192]) }, [-1, 0, 0.5]],
  ['24 bits', { bits: 24, data: Buffer.from([0, 0, 0x80, 0, 0, 0x40]) }, [-1, 0.5]],
  ['32 bits', { bits: 32, data: Buffer.from([0, 0, 0, 0xc0]) }, [-0.5]],
  ['fractions', { kind: 3, bits: 32, data: Buffer.from(new Float32Array([0.25, Number.NaN]).buffer) }, [0.25, 0]],
  ['two channels', { channels: 2, data: Buffer.from([0, 0x40, 0, 0, 0, 0x40, 0, 0x40]) }, [0.25, 0.5]],
  ['an extensible header', { extensible: true, data: Buffer.from([0, 0x40]) }, [0.5]],
])('samples of %s are read', (_what, options, expected) => {
  expect([...(decodeWav(wavOf(options))?.samples ?? [])]).toEqual(expected);
});

test('a file whose length field exceeds it, as a truncated recording leaves it, is read to its end', () => {
  const file = wavOf({ data: Buffer.alloc(100) });
  file.writeUInt32LE(0xffff_ffff, file.length - 104);
  expect(decodeWav(file)?.samples).toHaveLength(50);
});

test.each<[string, Uint8Array]>([
  ['nothing', Buffer.alloc(0)],
  ['another format', Buffer.from('OggS and more than that')],
  ['a compressed codec', wavOf({ kind: 0x55, data: Buffer.alloc(10) })],
  ['no channels', wavOf({ channels: 0, data: Buffer.alloc(10) })],
  ['no data', wavOf({}).subarray(0, 40)],
])('%s is not read', (_what, bytes) => {
  expect(decodeWav(bytes)).toBeUndefined();
});

test.each([8_000, 22_050, 44_100, 48_000])('audio at %d Hz is the same at 16,000 Hz', (rate) => {
  const samples = resample({ samples: tone(1, rate), rate }, 16_000);
  expect(Math.abs(samples.length - 16_000)).toBeLessThanOrEqual(1);
  let crossings = 0;
  for (let at = 1; at < samples.length; at += 1) if (samples[at - 1]! < 0 && samples[at]! >= 0) crossings += 1;
  expect(Math.abs(crossings - 440)).toBeLessThanOrEqual(1);
});
