import { randomBytes } from 'node:crypto';
import { newId } from '@nolo/kit/ids';
import sharp from 'sharp';
import { plain, png } from './plainPictures.ts';
import { startFiles } from './startFiles.ts';

let files: Awaited<ReturnType<typeof startFiles>>;

beforeAll(async () => {
  files = await startFiles();
});

afterAll(() => files.stop());

const noise = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } });

describe('a picture from upload to display', () => {
  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('is a square WebP made from a %s', async (format) => {
    const { objectPath, objectId } = await files.upload(newId(), await plain().toFormat(format).toBuffer());
    expect(objectPath).toMatch(/^\/objects\/[0-9a-f-]{36}$/);
    const { contentType, size, bytes } = await files.read(objectId);
    expect(contentType).toBe('image/webp');
    expect(size).toBe(bytes.length);
    await expect(sharp(bytes).metadata()).resolves.toMatchObject({ format: 'webp', width: 512, height: 512 });
  });

  test('is visible to those its owner allows', async () => {
    const ownerId = newId();
    const { objectId } = await files.upload(ownerId, await png());
    await expect(files.read(objectId)).resolves.toMatchObject({ contentType: 'image/webp' });
    files.profiles.hidden.add(ownerId);
    await expect(files.read(objectId)).rejects.toMatchObject({ kind: 'not_found', code: 'object_not_found' });
    await expect(files.read(objectId, ownerId)).resolves.toMatchObject({ contentType: 'image/webp' });
  });

  test('metadata is removed, and its orientation is applied', async () => {
    // Red above blue in the pixels; orientation 6 rotates the top to the right.
    const blue = await plain('blue').resize(200, 100).png().toBuffer();
    const photo = await plain()
      .resize(200, 200)
      .composite([{ input: blue, gravity: 'south' }])
      .withExif({ IFD0: { Artist: 'Somebody Somewhere' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(photo).metadata()).orientation).toBe(6);
    expect(photo.includes('Somebody Somewhere')).toBe(true);
    const { bytes } = await files.read((await files.upload(newId(), photo)).objectId);
    const { exif, xmp, icc, orientation } = await sharp(bytes).metadata();
    expect([exif, xmp, icc, orientation]).toEqual([undefined, undefined, undefined, undefined]);
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const redAt = (x: number, y: number) => data[(y * info.width + x) * info.channels]!;
    expect(redAt(400, 256)).toBeGreaterThan(200);
    expect(redAt(100, 256)).toBeLessThan(50);
  });

  test('only the first frame of an animation is kept', async () => {
    const frames = await Promise.all(['red', 'blue'].map((color) => plain(color).png().toBuffer()));
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(animation).metadata()).pages).toBe(2);
    const { bytes } = await files.read((await files.upload(newId(), animation)).objectId);
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
    const { dominant } = await sharp(bytes).stats();
    expect(dominant.r).toBeGreaterThan(200);
  });

  test('pictures are sent in chunks of at most 256 KiB', async () => {
    const { objectId } = await files.upload(newId(), await noise(600).png().toBuffer());
    const { bytes, largest } = await files.read(objectId);
    expect(bytes.length).toBeGreaterThan(0);
    expect(largest).toBeLessThanOrEqual(256 * 1024);
  });

  test('a new picture replaces the old one, whose bytes are deleted', async () => {
    const actorId = newId();
    const first = await files.upload(actorId, await png());
    const second = await files.upload(actorId, await png());
    expect(second.objectId).not.toBe(first.objectId);
    await expect(files.read(first.objectId)).rejects.toMatchObject({ kind: 'not_found', code: 'object_not_found' });
    const stored = await files.stored();
    expect(stored).toContain(second.objectId);
    for (const gone of [first.objectId, first.uploadId, second.uploadId]) expect(stored).not.toContain(gone);
  });

  test('finishing again returns the same picture, even concurrently', async () => {
    const actorId = newId();
    const reserved = await files.reserve(actorId);
    await files.write(reserved, await png());
    const finish = () => files.client.finishProfileImage({ actorId, uploadId: reserved.uploadId });
    const answers = await Promise.all([finish(), finish(), finish()]);
    answers.push(await finish());
    expect(new Set(answers.map(({ objectPath }) => objectPath)).size).toBe(1);
    await expect(files.read(answers[0]!.objectPath.slice(9))).resolves.toMatchObject({ contentType: 'image/webp' });
  });

  test('one of two pictures that are finished at once remains', async () => {
    const actorId = newId();
    const done = await Promise.all(
      ['red', 'blue'].map(async (color) => files.upload(actorId, await plain(color).png().toBuffer())),
    );
    const readable = await Promise.allSettled(done.map(({ objectId }) => files.read(objectId)));
    expect(readable.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('removing a picture deletes it, and can be repeated', async () => {
    const actorId = newId();
    const { objectId } = await files.upload(actorId, await png());
    await files.client.removeProfileImage({ actorId });
    await files.client.removeProfileImage({ actorId });
    await expect(files.read(objectId)).rejects.toMatchObject({ code: 'object_not_found' });
    expect(await files.stored()).not.toContain(objectId);
  });

  test('objects survive a restart', async () => {
    const { objectId } = await files.upload(newId(), await png());
    const before = await files.read(objectId);
    await files.restart();
    expect((await files.read(objectId)).bytes.equals(before.bytes)).toBe(true);
  });
});

describe('an invalid image', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const corpus: [string, () => Promise<Uint8Array> | Uint8Array][] = [
    ['nothing', () => new Uint8Array()],
    ['one byte', () => Buffer.from([0x89])],
    ['an SVG with a script', () => Buffer.from(svg)],
    ['an SVG with an XML head', () => Buffer.from(`<?xml version="1.0"?>${svg}`)],
    ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a zip', () => Buffer.from('504b0304140000000000', 'hex')],
    ['a PDF', () => Buffer.from('%PDF-1.7\n%âãÏÓ\n')],
    ['a TIFF', () => plain().tiff().toBuffer()],
    ['a truncated JPEG', async () => (await noise(100).jpeg().toBuffer()).subarray(0, 2000)],
    ['a truncated PNG', async () => (await noise(100).png().toBuffer()).subarray(0, 9000)],
    ['a PNG signature and noise', () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(500)])],
    [
      'a JPEG signature and HTML',
      () => Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('<script>alert(1)</script>')]),
    ],
    ['a GIF signature and a script', () => Buffer.from('GIF89a/*<script>*/=1;alert(1)//')],
    ['a video', () => Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex')],
  ];

  test.each(corpus)('%s is rejected, and leaves no object', async (_name, make) => {
    const refused = { kind: 'invalid', code: 'file_not_image', message: 'That file is not an image we can use.' };
    await expect(files.upload(newId(), await make())).rejects.toMatchObject(refused);
  });

  test('an upload without bytes is not an image', async () => {
    const actorId = newId();
    const { uploadId } = await files.reserve(actorId);
    await expect(files.client.finishProfileImage({ actorId, uploadId })).rejects.toMatchObject({
      code: 'file_not_image',
    });
  });

  test('a PNG that is also HTML loses everything but the image', async () => {
    const polyglot = Buffer.concat([await png(), Buffer.from('<html><script>alert(document.cookie)</script></html>')]);
    const { bytes } = await files.read((await files.upload(newId(), polyglot)).objectId);
    expect(bytes.includes('script')).toBe(false);
    expect((await sharp(bytes).metadata()).format).toBe('webp');
  });

  test('a small file with huge dimensions is rejected without decoding', async () => {
    const bomb = await sharp({ create: { width: 10_000, height: 5_001, channels: 3, background: 'black' } })
      .png()
      .toBuffer();
    expect(bomb.length).toBeLessThan(1_000_000);
    await expect(files.upload(newId(), bomb)).rejects.toMatchObject({ kind: 'too_large', code: 'image_too_large' });
    const header = await png();
    header.writeUInt32BE(60_000, 16);
    header.writeUInt32BE(60_000, 20);
    await expect(files.upload(newId(), header)).rejects.toMatchObject({
      kind: expect.stringMatching(/too_large|invalid/),
    });
  });

  test('many at once are all answered', async () => {
    const bytes = await plain().resize(2000, 2000).jpeg().toBuffer();
    const done = await Promise.all(Array.from({ length: 8 }, () => files.upload(newId(), bytes)));
    expect(new Set(done.map(({ objectId }) => objectId)).size).toBe(8);
  });
});

describe('the logo of a brand', () => {
  const logoOf = async (actorId: string, bytes: Buffer) => {
    const reserved = await files.client.createUpload({ actorId, purpose: 'brand_logo' });
    await files.write(reserved, bytes);
    return (await files.client.finishBrandLogo({ actorId, uploadId: reserved.uploadId })).objectPath;
  };
  const readByAnybody = async (objectPath: string) => {
    const chunks: Buffer[] = [];
    for await (const { part } of files.client.readBrandLogo({ objectId: objectPath.replace('/objects/', '') })) {
      if (part?.$case === 'chunk') chunks.push(part.value);
    }
    return Buffer.concat(chunks);
  };

  test('is re-encoded uncropped, and public until it is removed', async () => {
    const objectPath = await logoOf(
      newId(),
      await plain()
        .withExif({ IFD0: { Artist: 'Somebody' } })
        .jpeg()
        .toBuffer(),
    );
    const made = await readByAnybody(objectPath);
    const { format, width, height, exif } = await sharp(made).metadata();
    expect({ format, width, height, exif }).toEqual({ format: 'webp', width: 320, height: 200, exif: undefined });
    await files.client.removeBrandLogo({ objectPath });
    await expect(readByAnybody(objectPath)).rejects.toMatchObject({ code: 'object_not_found' });
  });

  test('cannot be used to read or remove other pictures', async () => {
    const { objectPath, objectId } = await files.upload(newId(), await png());
    await expect(readByAnybody(objectPath)).rejects.toMatchObject({ code: 'object_not_found' });
    await files.client.removeBrandLogo({ objectPath });
    expect((await files.read(objectId)).contentType).toBe('image/webp');
  });

  test('anything but an image is rejected', async () => {
    await expect(logoOf(newId(), Buffer.from('<svg onload="alert(1)"/>'))).rejects.toMatchObject({
      code: 'file_not_image',
    });
  });
});
