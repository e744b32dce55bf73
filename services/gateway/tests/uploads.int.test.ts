import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { rateLimits } from '@nolo/rules';
import type { TestUser } from '@nolo/testing';
import { productionModeEnvironment, startGateway, type TestGateway } from './startGateway.ts';

let gateway: TestGateway;
let user: TestUser;
beforeAll(async () => {
  gateway = await startGateway();
  user = await gateway.signUp();
});
afterAll(() => gateway.stop());

const put = (url: string, body: Uint8Array) => fetch(url, { method: 'PUT', body });

describe('an upload in one piece', () => {
  it('has a URL, and returns where its bytes are stored', async () => {
    const query = new URLSearchParams({
      filename: 'a b.png',
      type: 'image/png',
      'metadata[kind]': 'image',
      'metadata[x]': '1',
    });
    const { status, body } = await user.api.get(`/s3/params?${query.toString()}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ method: 'PUT', fields: {}, headers: {}, key: expect.stringMatching(/^uploads\//) });
    const fileId = (body.key as string).slice('uploads/'.length);
    const written = await put(body.url as string, randomBytes(300_000));
    expect([written.status, written.headers.get('location')]).toEqual([200, `/objects/${fileId}`]);
    expect(written.headers.get('etag')).toMatch(/^"\w+"$/);
    const finished = await user.api.post(`/api/files/${fileId}/finish`);
    expect(finished.body).toMatchObject({ id: fileId, name: 'a b.png', size: 300_000, kind: 'image' });
    expect(finished.body.thumbnails).toEqual([{ width: 320, url: `/objects/${fileId}?size=320` }]);
  });

  it('reports an expired URL in the form Uppy understands', async () => {
    gateway.files.shared.address.lifetimeMs = -1_000;
    try {
      const { body } = await user.api.get('/s3/params?filename=a&type=undefined');
      const late = await put(body.url as string, Buffer.from('late'));
      expect(late.status).toBe(403);
      expect(await late.text()).toContain('<Message>Request has expired</Message>');
    } finally {
      gateway.files.shared.address.lifetimeMs = 900_000;
    }
  });

  it('rejects an oversized file before it is sent', async () => {
    const { body } = await user.api.get('/s3/params?filename=a');
    const upload = request(body.url as string, { method: 'PUT', headers: { 'content-length': 200 * 1024 * 1024 } });
    upload.flushHeaders();
    const [{ statusCode }] = (await once(upload, 'response')) as [IncomingMessage];
    upload.destroy();
    expect(statusCode).toBe(413);
  });

  it('starts for our own pages only, although it is a GET', async () => {
    const signed = { authorization: `Bearer ${user.api.token ?? ''}` };
    const upload = (headers: Record<string, string>) => fetch(`${gateway.url}/s3/params?filename=a`, { headers });
    expect((await upload({})).status).toBe(401);
    expect((await upload(signed)).status).toBe(200);
    const cookie = `nolo_session=${user.api.token ?? ''}`;
    expect((await upload({ cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await upload({ cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });
});

describe('an upload in parts', () => {
  it.each([
    ['without a key', '/1'],
    ['without a number', '/undefined?key=uploads/an-id'],
    ['with a number beyond', '/10001?key=uploads/an-id'],
  ])('is not signed %s', async (_, rest) => {
    expect(await user.api.get(`/s3/multipart/an-id${rest}`)).toMatchObject({
      status: 400,
      body: { message: 'Cannot sign without a key, an uploadId, and a partNumber' },
    });
  });

  it('accepts the maximum number of parts', async () => {
    const parts = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        PartNumber: index + 1,
        ETag: `"${'0123456789abcdef'.repeat(2)}"`,
      }));
    const complete = (count: number) =>
      user.api.post('/s3/multipart/an-id/complete?key=uploads/an-id', { parts: parts(count) });
    expect((await complete(10_000)).body).toMatchObject({ code: 'upload_not_found' });
    expect((await complete(20_000)).status).toBe(400);
  });
});

describe('a form', () => {
  it('requires its file', async () => {
    const form = new FormData();
    form.set('kind', 'image');
    expect((await user.api.request('POST', '/api/upload-media', { body: form })).status).toBe(400);
    expect((await user.api.post('/api/upload-media', {})).status).toBe(415);
  });

  it.each([
    ['a file has a name', () => ['file', new Blob(['x']), 'a'.repeat(16_000)] as const, 'the field “file” has a name'],
    ['a field has a value', () => ['kind', 'a'.repeat(1_000_000)] as const, 'The field “kind” is too long.'],
    ['a field has a name', () => ['a'.repeat(10_000), 'image'] as const, 'A field name is too long.'],
  ])('is rejected if %s that is too long', async (_what, createField, sentence) => {
    const form = new FormData();
    form.set(...(createField() as [string, Blob, string]));
    expect(await user.api.request('POST', '/api/upload-media', { body: form })).toMatchObject({
      status: 400,
      body: { code: 'form_invalid', message: expect.stringContaining(sentence) },
    });
  });
});

describe('reading a file', () => {
  const stored = async (kind = 'video', name = 'Käse.mp4') => {
    const form = new FormData();
    form.set('kind', kind);
    form.set('file', new Blob(['0123456789']), name);
    return (await user.api.request('POST', '/api/upload-media', { body: form })).body.url as string;
  };
  const read = (path: string, headers: Record<string, string> = {}) => user.api.get(path, { headers });

  it('returns the requested ranges', async () => {
    const path = await stored();
    const whole = await read(path);
    expect(whole.status).toBe(200);
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    expect(whole.headers.get('content-disposition')).toBe(
      `inline; filename="K_se.mp4"; filename*=UTF-8''K%C3%A4se.mp4`,
    );
    const some = await read(path, { range: 'bytes=2-4' });
    expect([some.status, some.body, some.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
    const beyond = await read(path, { range: 'bytes=50-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    const etag = whole.headers.get('etag') ?? '';
    expect((await read(path, { range: 'bytes=2-4', 'if-range': etag })).status).toBe(206);
    expect((await read(path, { range: 'bytes=2-4', 'if-range': '"other"' })).status).toBe(200);
    expect((await read(path, { 'if-none-match': etag })).status).toBe(304);
  });

  it('limits caching to the lifetime of the file', async () => {
    const path = await stored();
    const kept = async () => (await read(path)).headers.get('cache-control') ?? '';
    expect(await kept()).toBe('private, max-age=31536000, immutable');
    const fileId = path.split('/').at(-1)!;
    gateway.files.ends.set(fileId, new Date(Date.now() + 60_000));
    const seconds = Number(/^private, max-age=(\d+), immutable$/.exec(await kept())?.[1]);
    expect(seconds).toBeGreaterThan(20);
    expect(seconds).toBeLessThanOrEqual(60);
    gateway.files.ends.set(fileId, new Date(Date.now() - 1));
    expect(await kept()).toBe('private, max-age=0, immutable');
  });

  it('serves a file by its signed URL, without a session and uncached', async () => {
    const path = await stored();
    const anybody = gateway.anonymous;
    const signed = (signature: string, headers = {}) =>
      anybody.get(`${path}/signed?expires=99999999999999&signature=${signature}`, { headers });
    const some = await signed('right', { range: 'bytes=2-4' });
    expect([some.status, some.body]).toEqual([206, '234']);
    const shown = ['content-type', 'x-content-type-options', 'cache-control'].map((name) => some.headers.get(name));
    expect(shown).toEqual(['image/png', 'nosniff', 'private, no-store']);
    expect(await signed('wrong')).toMatchObject({ status: 404, body: { code: 'object_not_found' } });
  });

  it('serves anything but media, and any download, as plain bytes', async () => {
    const opaque = await read(await stored('file', 'page.html'));
    expect(Object.fromEntries(opaque.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="page.html"',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    const saved = await read(`${await stored()}?download=${encodeURIComponent('../Größe\r\n.mp4')}`);
    expect(saved.headers.get('content-disposition')).toBe(
      `attachment; filename="Gr__e.mp4"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.mp4`,
    );
  });

  it('accepts the existing widths only', async () => {
    const path = await stored('image', 'a.png');
    expect((await read(`${path}?size=320`)).status).toBe(200);
    expect((await read(`${path}?size=321`)).status).toBe(400);
  });
});

describe('the form of a post to social platforms', () => {
  let away: TestGateway;
  beforeAll(async () => {
    // The port is closed, so no post is sent.
    away = await startGateway({ ...productionModeEnvironment, SOCIAL_SCHEDULER_ADDR: '127.0.0.1:1' });
  });
  afterAll(() => away.stop());

  it('counts every file, even if the post is rejected', async () => {
    const author = await away.signUp();
    const post = async () => {
      const body = new FormData();
      body.set('text', 'Look!');
      body.set('image_0', new Blob([randomBytes(1_000)], { type: 'image/png' }), 'one.png');
      return await author.api.request('POST', '/api/social/multipost', { body });
    };
    await away.spend('fileUploadsPerUserHour', author.id, rateLimits.fileUploadsPerUserHour.points - 1);
    expect((await post()).status).toBe(503);
    expect(away.files.shared.uploads.size).toBe(1);
    const limit = 'fileUploadsPerUserHour';
    expect(await post()).toMatchObject({ status: 429, body: { code: 'rate_limited', details: { limit } } });
    expect(away.files.shared.uploads.size).toBe(1);
  });
});
