import { cleanHeif } from './cleanHeif.ts';

const text = (words: string) => [...words].map((letter) => letter.charCodeAt(0));
const two = (value: number) => [value >> 8, value & 255];
const four = (value: number) => [0, 0, ...two(value)];
const box = (type: string, ...body: number[][]) => {
  const bytes = body.flat();
  return [...four(bytes.length + 8), ...text(type), ...bytes];
};
/** A name of an item: its number and its kind. */
const named = (id: number, type: string) => box('infe', [2, 0, 0, 0], two(id), [0, 0], text(type), [0]);

const [pixels, exif, words] = ['the picture itself', 'Exif Table Mountain', '<x:xmpmeta GPS/>'];

/** A picture with a camera's notes and a text beside it; the text lies among the names of the items. */
function picture(): Uint8Array {
  const names = box('iinf', [0, 0, 0, 0], two(3), named(1, 'hvc1'), named(2, 'Exif'), named(3, 'mime'));
  const inside = box('idat', text(words));
  const places = (start: number) => {
    const place = (id: number, method: number, offset: number, length: number) => [
      ...two(id),
      ...two(method),
      ...two(0),
      ...two(1),
      ...four(offset),
      ...four(length),
    ];
    const all = [
      place(1, 0, start, pixels.length),
      place(2, 0, start + pixels.length, exif.length),
      place(3, 1, 0, words.length),
    ];
    return box('iloc', [1, 0, 0, 0], [0x44, 0x00], two(3), ...all);
  };
  const whole = (start: number) => [
    ...box('ftyp', text('heicmif1')),
    ...box('meta', [0, 0, 0, 0], names, places(start), inside),
    ...box('mdat', text(pixels + exif)),
  ];
  const { length } = whole(0);
  return Uint8Array.from(whole(length - pixels.length - exif.length));
}

const has = (bytes: Uint8Array, part: string) => Buffer.from(bytes).includes(part);

test('what a camera notes is blanked, wherever it lies, and all else stays where it is', () => {
  const noted = picture();
  for (const part of [pixels, exif, words]) expect(has(noted, part)).toBe(true);
  const clean = cleanHeif(noted) ?? new Uint8Array();
  expect(clean.length).toBe(noted.length);
  expect([has(clean, 'Mountain'), has(clean, 'GPS')]).toEqual([false, false]);
  const changed = noted.filter((byte, at) => byte !== clean[at]);
  expect(Buffer.from(changed).toString('latin1')).toBe(words + exif);
  // What is given is left alone.
  expect(has(noted, exif)).toBe(true);
});

test('what is cut off, or something else, is left to others', () => {
  const noted = picture();
  for (const bytes of [noted.subarray(0, 60), noted.subarray(20), Buffer.from('no picture'), new Uint8Array()]) {
    expect(cleanHeif(bytes)).toBeNull();
  }
});
