import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { signUpByPhone, type TestUser } from '@nolo/testing';
import sharp from 'sharp';
import {
  createArchiveBomb,
  createPictureBombs,
  createPictureWithTextBomb,
  createScriptInjectionFiles,
  createScriptInjectionMedia,
  type HostileFile,
} from '../support/hostile/hostileFiles.ts';
import { findPictureDifference, createMagickPictures } from '../support/hostile/magickPictures.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const { urls, pids } = openSharedTestStack();
const url = urls[0]!;
let user: TestUser;

beforeEach(async () => {
  user = await signUpByPhone(url);
});
// Checks that no input crashed a process.
afterEach(() => {
  for (const [name, pid] of Object.entries(pids)) expect([name, existsSync(`/proc/${pid}`)]).toEqual([name, true]);
});

const upload = async ({ name, type, bytes }: Omit<HostileFile, 'title'>, kind?: string) => {
  const form = new FormData();
  if (kind !== undefined) form.set('kind', kind);
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
  return user.api.request('POST', '/api/upload-media', { body: form });
};
const stored = async (file: Omit<HostileFile, 'title'>, kind?: string) =>
  requireSuccess(await upload(file, kind), 'A file').body as { id: string; url: string; kind: string; size: number };
const asPicture = (bytes: Uint8Array, type = 'image/png') =>
  upload({ name: 'a.png', type, bytes: Buffer.from(bytes) }, 'image');

async function bytesAt(path: string): Promise<{ headers: Headers; bytes: Buffer }> {
  const headers = { authorization: `Bearer ${user.api.token ?? ''}` };
  const reply = await fetch(new URL(path, url), { headers });
  expect(reply.status).toBe(200);
  return { headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

/** Returns the peak memory of the files service, in MiB. */
async function peakMemory(): Promise<number> {
  const status = await readFile(`/proc/${pids['files']}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1_024;
}

const script = 'alert("harm")';
/** Creates a picture that no format can compress well. */
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: 'teal', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  });

describe('content that a browser could run', () => {
  it.each(createScriptInjectionFiles(script))('$title is served as bytes and does not run', async (file) => {
    const row = await stored(file);
    expect(row.kind).toBe('file');
    const { headers, bytes } = await bytesAt(row.url);
    expect(bytes.equals(file.bytes)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment/),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect(await upload(file, 'image')).toMatchObject({ status: 400, body: { code: 'file_not_image' } });
  });

  it('is absent from re-encoded pictures, and cannot run where audio and video are played', async () => {
    for (const file of await createScriptInjectionMedia(script)) {
      const row = await stored(file);
      const { headers, bytes } = await bytesAt(row.url);
      expect([file.name, headers.get('content-type')]).toEqual([file.name, file.type]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
      expect([file.name, bytes.includes(script)]).toEqual([file.name, row.kind !== 'image']);
    }
  });
});

describe('pictures made by people’s programs', () => {
  it('look the same, stay animated and reveal no location, thumbnails included', async () => {
    const place = 'Lions Head Trail';
    for (const picture of await createMagickPictures(place)) {
      const row = await stored(picture);
      // Files that are not decoded here are passed on unchanged, and their sender is informed.
      if (picture.type === 'image/heic') {
        expect([picture.name, row.kind]).toEqual([picture.name, 'file']);
        continue;
      }
      expect([picture.name, row.kind]).toEqual([picture.name, 'image']);
      for (const wide of [picture.width, 320]) {
        const { bytes } = await bytesAt(wide === 320 ? `${row.url}?size=320` : row.url);
        expect([picture.name, wide, await findPictureDifference(bytes, picture, wide)]).toEqual([
          picture.name,
          wide,
          null,
        ]);
        expect([picture.name, bytes.includes(place), bytes.includes('Pinhole')]).toEqual([picture.name, false, false]);
      }
    }
  });
});

describe('thumbnails supplied with a picture', () => {
  const finish = async (data: Buffer) => {
    const query = new URLSearchParams({ filename: 'a.png', type: 'image/png', 'metadata[kind]': 'image' });
    const { body } = requireSuccess(await user.api.get(`/s3/params?${query.toString()}`), 'An address');
    const address = new URL(body.url as string);
    const bytes = await noise(640, 480).png().toBuffer();
    await fetch(new URL(address.pathname + address.search, url), { method: 'PUT', body: new Uint8Array(bytes) });
    const id = (body.key as string).split('/').at(-1) ?? '';
    const thumbnails = [{ width: 320, data: data.toString('base64') }];
    requireSuccess(await user.api.post(`/api/files/${id}/finish`, { thumbnails }), 'The file');
    return (await bytesAt(`/objects/${id}?size=320`)).bytes;
  };

  it('are replaced if they are a page, a bomb or another picture', async () => {
    const page = (await createScriptInjectionMedia(script))[1]?.bytes ?? Buffer.alloc(0);
    const bomb = (await createPictureBombs()).at(-1)?.bytes ?? Buffer.alloc(0);
    const other = await noise(320, 240).negate().tint('red').webp().toBuffer();
    for (const data of [page, bomb, Buffer.concat([other, Buffer.from(script)]), Buffer.from(script)]) {
      const bytes = await finish(data);
      expect(bytes.equals(data)).toBe(false);
      expect(bytes.includes(script)).toBe(false);
      await expect(sharp(bytes).metadata()).resolves.toMatchObject({ format: 'webp', width: 320, height: 240 });
    }
  });

  it('are rejected before decoding if they are too many, too large or of other widths', async () => {
    const { body } = requireSuccess(await user.api.get('/s3/params?filename=a.png&type=image/png'), 'An address');
    const id = (body.key as string).split('/').at(-1) ?? '';
    const one = { width: 320, data: 'AAAA' };
    for (const thumbnails of [
      [one, one, one],
      [{ ...one, width: 321 }],
      [{ ...one, data: 'A'.repeat(700_000) }],
      [{ ...one, data: 'no base64!' }],
    ]) {
      const { status, body: refused } = await user.api.post(`/api/files/${id}/finish`, { thumbnails });
      expect([status, refused.code]).toEqual([400, 'invalid_input']);
    }
  });
});

describe('files that expand', () => {
  it('pictures with more pixels than a machine can hold are not decoded', async () => {
    for (const file of await createPictureBombs()) {
      const { status, body } = await upload(file, 'image');
      expect([file.title, status, body.code]).toEqual([file.title, 413, 'image_too_large']);
      // The file is passed on as plain bytes.
      const row = await stored(file, 'file');
      expect(row).toMatchObject({ kind: 'file', size: file.bytes.length });
      expect((await bytesAt(row.url)).headers.get('content-type')).toBe('application/octet-stream');
    }
  });

  it('text and profiles that expand are ignored, or make the picture invalid', async () => {
    const { status, body } = await upload(createPictureWithTextBomb(200), 'image');
    expect([200, 400]).toContain(status);
    if (status === 200) expect(body.size).toBeLessThan(10_000);
    else expect(body.code).toBe('file_not_image');
  });

  it('an archive that expands is an archive', async () => {
    const file = createArchiveBomb(500);
    const row = await stored(file);
    expect(row).toMatchObject({ kind: 'file', size: file.bytes.length });
  });

  it('files that expand took no more memory than a picture may', async () => {
    expect(await peakMemory()).toBeLessThan(700);
  });
});

describe('content that is not what it claims to be', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('a truncated %s is not a picture', async (format) => {
    const whole = await noise(300, 200).toFormat(format).toBuffer();
    const cut = whole.subarray(0, Math.floor(whole.length * 0.6));
    expect(await asPicture(cut, `image/${format}`)).toMatchObject({ status: 400, body: { code: 'file_not_image' } });
    const row = await stored({ name: `a.${format}`, type: '', bytes: cut });
    expect(row).toMatchObject({ kind: 'file', size: cut.length });
    expect((await bytesAt(row.url)).bytes.equals(cut)).toBe(true);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['words', Buffer.from('not a picture')],
    ['a song', Buffer.from('ID3\x03\0\0\0\0\0\0')],
    ['a picture in a format that is not decoded', Buffer.from('49492a0008000000', 'hex')],
  ])('%s is not accepted as a picture, and takes no storage', async (_, bytes) => {
    expect(await asPicture(bytes)).toMatchObject({ status: 400, body: { code: 'file_not_image' } });
    expect((await user.api.get('/api/storage')).body.used).toBe(0);
  });

  it('a picture is recognised by its bytes, whatever its name and type', async () => {
    const bytes = await noise(20, 20).png().toBuffer();
    const row = await stored({ name: 'page.html', type: 'text/html', bytes });
    expect(row).toMatchObject({ kind: 'image', contentType: 'image/png' });
    expect((await bytesAt(row.url)).headers.get('content-type')).toBe('image/png');
  });

  it('a truncated video is served as far as it goes', async () => {
    const bytes = Buffer.from('000000186674797069736f6d0000000069736f6d6d703432', 'hex').subarray(0, 20);
    const row = await stored({ name: 'a.mp4', type: 'video/mp4', bytes });
    expect((await bytesAt(row.url)).bytes.equals(bytes)).toBe(true);
  });
});

describe('hostile file names', () => {
  it.each([
    ['../../../etc/passwd', 'passwd'],
    ['C:\\Windows\\a.exe', 'a.exe'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['a\u0001b\r\nX: y.txt', 'abX: y.txt'],
    ['\u001b', 'file'],
    ['..', 'file'],
    ['"; filename=b.html', '"; filename=b.html'],
    [`${'ä'.repeat(300)}.txt`, `${'ä'.repeat(125)}.txt`],
  ])('%j is stored as %j, and injects no header', async (given, kept) => {
    const query = new URLSearchParams({ filename: given, type: 'text/plain\r\nX-Harm: 1' });
    const { body } = requireSuccess(await user.api.get(`/s3/params?${query.toString()}`), 'An address');
    const address = new URL(body.url as string);
    await fetch(new URL(address.pathname + address.search, url), { method: 'PUT', body: 'x' });
    const id = (body.key as string).split('/').at(-1) ?? '';
    expect(requireSuccess(await user.api.post(`/api/files/${id}/finish`), 'The file').body.name).toBe(kept);
    const { headers } = await bytesAt(`/objects/${id}`);
    expect(headers.get('x-harm')).toBeNull();
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"\\\r\n]*"(?:; filename\*=UTF-8''[^;"\r\n]*)?$/,
    );
  });

  it('one with a null character is rejected', async () => {
    const { status, body } = await user.api.get('/s3/params?filename=a%00.txt');
    expect([status, body.code]).toEqual([400, 'invalid_input']);
  });
});
