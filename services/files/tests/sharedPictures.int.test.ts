import { newId } from '@nolo/kit/ids';
import sharp from 'sharp';
import { createAnimatedPng } from './createAnimatedPng.ts';
import { createSharedFileFixtures, header, photo, writing } from './sharedFileFixtures.ts';
import { startFiles } from './startFiles.ts';

let files: Awaited<ReturnType<typeof startFiles>>;

beforeAll(async () => {
  files = await startFiles();
});
afterAll(() => files.stop());

const { store } = createSharedFileFixtures(() => files);

describe('a picture', () => {
  test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('is re-encoded as %s, with thumbnails', async (format) => {
    const actorId = newId();
    const taken = photo().withExif({ IFD0: { Artist: 'Somebody Somewhere' } });
    const bytes = await taken.toFormat(format).toBuffer();
    const file = await store(actorId, bytes, { name: `a.${format}`, contentType: `image/${format}`, kind: 'image' });
    expect(file).toMatchObject({ kind: 'image', contentType: `image/${format}`, width: 1200, height: 800 });
    expect(file.thumbnailWidths).toEqual([320, 960]);
    const whole = await files.read(file.id, actorId);
    expect(whole).toMatchObject({
      contentType: `image/${format}`,
      size: file.size,
      inline: true,
      name: `a.${format}`,
    });
    expect(whole.bytes.includes('Somebody Somewhere')).toBe(false);
    const { exif } = await sharp(whole.bytes).metadata();
    expect(exif).toBeUndefined();
    for (const [requested, width] of [
      [320, 320],
      [960, 960],
      [100, 320],
    ] as const) {
      const small = await files.read(file.id, actorId, { width: requested });
      await expect(sharp(small.bytes).metadata()).resolves.toMatchObject({ format: 'webp', width });
      expect(small.etag).toBe(`"${file.id}.${width}"`);
    }
  });

  test('is rotated according to its metadata, and no thumbnail is wider than it', async () => {
    const actorId = newId();
    const bytes = await photo(300, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const file = await store(actorId, bytes, { contentType: 'image/jpeg' });
    expect(file).toMatchObject({ width: 100, height: 300, thumbnailWidths: [] });
    const small = await files.read(file.id, actorId, { width: 320 });
    expect(small.size).toBe(file.size);
  });

  test("keeps its uploader's thumbnails, except those that show something else", async () => {
    const actorId = newId();
    const { fileId, target } = await files.shared.beginUpload(header(actorId, { kind: 'image' }));
    const bytes = await photo().jpeg().toBuffer();
    await files.shared.writeBytes(writing(fileId, 0, target!, bytes));
    const [small, other] = [await photo(320, 213).webp().toBuffer(), await photo(960, 640).negate().webp().toBuffer()];
    const thumbnails = [
      { width: 320, data: small },
      { width: 960, data: other },
      { width: 5, data: small },
    ];
    const file = await files.shared.finishUpload({ actorId, fileId, parts: [], name: undefined, thumbnails });
    expect(file).toMatchObject({ thumbnailWidths: [320, 960], moves: false });
    expect(file.thumbhash).toMatch(/^[\w+/=]{20,40}$/);
    expect((await files.read(fileId, actorId, { width: 320 })).bytes.equals(small)).toBe(true);
    const { data } = await sharp((await files.read(fileId, actorId, { width: 960 })).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    // Teal, not its inverse.
    expect(data[0]).toBeLessThan(20);
    await expect(files.shared.getFile({ actorId, fileId })).resolves.toEqual(file);
  });

  test('stays animated if it was', async () => {
    const actorId = newId();
    const frames = await Promise.all(
      ['red', 'blue'].map((background) => photo(400, 300).tint(background).png().toBuffer()),
    );
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const file = await store(actorId, animation, { kind: 'image' });
    expect(file).toMatchObject({ contentType: 'image/gif', width: 400, height: 300, moves: true });
    const { bytes } = await files.read(file.id, actorId);
    expect((await sharp(bytes).metadata()).pages).toBe(2);
  });

  test('keeps its frames and loses its text chunks as an animated PNG', async () => {
    const actorId = newId();
    const pictures = await Promise.all(
      ['red', 'blue'].map((background) =>
        sharp({ create: { width: 400, height: 300, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animation = createAnimatedPng(pictures, 'Table Mountain');
    const file = await store(actorId, animation, { kind: 'image' });
    expect(file).toMatchObject({ contentType: 'image/png', width: 400, height: 300, moves: true });
    const { bytes } = await files.read(file.id, actorId);
    for (const type of ['acTL', 'fcTL', 'fdAT']) expect(bytes.includes(type)).toBe(true);
    expect(bytes.includes('Table Mountain')).toBe(false);
    const still = await store(actorId, createAnimatedPng(pictures.slice(0, 1), 'one'), { kind: 'image' });
    expect(still).toMatchObject({ contentType: 'image/png', moves: false });
    const many = createAnimatedPng(
      Array.from({ length: 1_000 }, () => pictures[0] ?? Buffer.alloc(0)),
      'too many',
    );
    await expect(store(actorId, many, { kind: 'image' })).rejects.toMatchObject({ code: 'image_too_large' });
  });

  test('is rejected if it decodes to too many pixels', async () => {
    const bomb = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: 'white' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    await expect(store(newId(), bomb, { kind: 'image' })).rejects.toMatchObject({ code: 'image_too_large' });
    // A file is served unchanged and never decoded.
    await expect(store(newId(), bomb, { kind: 'file' })).resolves.toMatchObject({ kind: 'file', size: bomb.length });
  });
});
