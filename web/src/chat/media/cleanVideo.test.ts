import { cleanVideo } from './cleanVideo.ts';

const text = (words: string) => [...words].map((letter) => letter.charCodeAt(0));
const box = (type: string, ...bodies: number[][]) => {
  const body = bodies.flat();
  return [0, 0, (body.length + 8) >> 8, (body.length + 8) & 255, ...text(type), ...body];
};
const file = (...boxes: number[][]) => new Blob([Uint8Array.from(boxes.flat())], { type: 'video/mp4' });
const read = async (blob: Blob) => [...new Uint8Array(await blob.arrayBuffer())];

test('the place is blanked where it stands, and nothing moves', async () => {
  const [start, data] = [box('ftyp', text('isom')), box('mdat', [1, 2, 3])];
  const place = text('+33.9258+018.4232/');
  const index = box('moov', box('mvhd', [4]), box('udta', place), box('trak', box('tkhd', [5]), box('meta', place)));
  const clean = await cleanVideo(file(start, data, index));
  const free = box(
    'free',
    place.map(() => 0),
  );
  expect(await read(clean)).toEqual([
    ...start,
    ...data,
    ...box('moov', box('mvhd', [4]), free, box('trak', box('tkhd', [5]), free)),
  ]);
  expect(clean.type).toBe('video/mp4');
});

test('what has no index of this kind stays as it is', async () => {
  const other = file(text('\x1aE\xdf\xa3 a film of another kind'));
  expect(await cleanVideo(other)).toBe(other);
  const cut = file(box('ftyp', text('isom')), [0, 0, 9, 9, ...text('moov'), 1]);
  expect(await cleanVideo(cut)).toBe(cut);
});
