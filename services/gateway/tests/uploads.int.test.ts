import { createHash, randomBytes } from 'node:crypto';
import type { TestUser } from '@nolo/testing';
import { startTestGateway, type TestGateway } from './startTestGateway.ts';

let gateway: TestGateway;
let user: TestUser;
beforeAll(async () => {
  gateway = await startTestGateway();
  user = await gateway.signUp();
}, 30_000);
afterAll(() => gateway.stop());

const put = (url: string, body: Uint8Array) => fetch(url, { method: 'PUT', body });
const begin = async () => {
  const { status, body } = await user.api.post('/s3/multipart', {
    filename: 'film.mp4',
    type: 'video/mp4',
    metadata: { name: 'film.mp4', kind: 'video', relativePath: null, size: 12 },
  });
  expect(status).toBe(200);
  return body as { key: string; uploadId: string };
};
const at = ({ key, uploadId }: { key: string; uploadId: string }, rest = '') =>
  `/s3/multipart/${uploadId}${rest}?key=${encodeURIComponent(key)}`;

describe('in one piece', () => {
  it('gives an address, takes the bytes, and says where they are', async () => {
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
    const bytes = randomBytes(300_000);
    const written = await put(body.url as string, bytes);
    expect(written.status).toBe(200);
    expect(written.headers.get('etag')).toBe(`"${createHash('md5').update(bytes).digest('hex')}"`);
    expect(written.headers.get('location')).toBe(`/objects/${fileId}`);
    const finished = await user.api.post(`/api/files/${fileId}/finish`);
    expect(finished).toMatchObject({
      status: 200,
      body: { id: fileId, url: `/objects/${fileId}`, name: 'a b.png', size: 300_000, kind: 'image' },
    });
    expect(finished.body.thumbnails).toEqual([{ width: 320, url: `/objects/${fileId}?size=320` }]);
    expect((await user.api.get(`/api/files/${fileId}`)).body).toEqual(finished.body);
    expect((await (await gateway.signUp()).api.get(`/api/files/${fileId}`)).status).toBe(404);
  });

  it('tells an expired address as Uppy understands it', async () => {
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

  it('refuses what nobody signed, and what is too large, before it comes', async () => {
    const { body } = await user.api.get('/s3/params?filename=a');
    const wrong = new URL(body.url as string);
    wrong.searchParams.set('signature', 'mine');
    expect((await put(wrong.href, Buffer.from('x'))).status).toBe(404);
    const huge = await fetch(
      body.url as string,
      {
        method: 'PUT',
        headers: { 'content-length': String(200 * 1024 * 1024) },
        body: new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) }),
        duplex: 'half',
      } as RequestInit & { duplex: 'half' },
    ).catch(() => undefined);
    expect([undefined, 411, 413]).toContain(huge?.status);
  });

  it('begins for pages of ours alone, although it is a GET', async () => {
    const signed = { authorization: `Bearer ${user.api.token ?? ''}` };
    const asked = (headers: Record<string, string>) => fetch(`${gateway.url}/s3/params?filename=a`, { headers });
    expect((await asked({})).status).toBe(401);
    expect((await asked(signed)).status).toBe(200);
    const cookie = `nolo_session=${user.api.token ?? ''}`;
    expect((await asked({ cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await asked({ cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });
});

describe('in parts', () => {
  it('signs, takes, lists and completes them', async () => {
    const upload = await begin();
    expect(upload.key).toBe(`uploads/${upload.uploadId}`);
    const etags = [];
    for (const number of [1, 2]) {
      const signed = await user.api.get(at(upload, `/${number}`));
      expect(signed).toMatchObject({ status: 200, body: { expires: expect.any(Number), headers: {} } });
      const written = await put(signed.body.url as string, Buffer.from(`part ${number}`));
      expect(written.status).toBe(200);
      etags.push(written.headers.get('etag') ?? '');
    }
    expect((await user.api.get(at(upload))).body).toEqual([
      { PartNumber: 1, Size: 6, ETag: etags[0] },
      { PartNumber: 2, Size: 6, ETag: etags[1] },
    ]);
    const parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
    const done = await user.api.post(at(upload, '/complete'), { parts });
    expect(done).toMatchObject({ status: 200, body: { location: `/objects/${upload.uploadId}`, key: upload.key } });
    const read = await user.api.get(`/objects/${upload.uploadId}`);
    expect(read.body).toBe('part 1part 2');
  });

  it.each([
    ['without a key', (uploadId: string) => `/s3/multipart/${uploadId}/1`],
    ['without a number', (uploadId: string) => `/s3/multipart/${uploadId}/undefined?key=uploads/${uploadId}`],
    ['with a number beyond', (uploadId: string) => `/s3/multipart/${uploadId}/10001?key=uploads/${uploadId}`],
  ])('is not signed %s', async (_, path) => {
    const { uploadId } = await begin();
    expect(await user.api.get(path(uploadId))).toMatchObject({
      status: 400,
      body: { message: 'Cannot sign without a key, an uploadId, and a partNumber' },
    });
  });

  it('keeps to whoever began it, and to its own key', async () => {
    const upload = await begin();
    const stranger = await gateway.signUp();
    expect((await stranger.api.get(at(upload, '/1'))).status).toBe(404);
    expect((await stranger.api.get(at(upload))).status).toBe(404);
    expect((await user.api.get(at({ ...upload, key: 'uploads/other' }, '/1'))).status).toBe(404);
    expect((await stranger.api.delete(at(upload))).body).toEqual({});
    expect((await user.api.get(at(upload))).status).toBe(200);
    expect((await user.api.delete(at(upload))).body).toEqual({});
    expect((await user.api.delete(at(upload))).status).toBe(200);
    expect((await user.api.get(at(upload))).status).toBe(404);
  });

  it('takes as many parts to complete as there may be', async () => {
    const upload = await begin();
    const parts = Array.from({ length: 10_000 }, (_, index) => ({
      PartNumber: index + 1,
      ETag: '"0123456789abcdef0123456789abcdef"',
    }));
    expect((await user.api.post(at(upload, '/complete'), { parts })).body).toMatchObject({ code: 'upload_empty' });
    expect((await user.api.post(at(upload, '/complete'), { parts: [...parts, ...parts] })).status).toBe(400);
  });

  it('has no temporary credentials unless the operator gave some', async () => {
    expect(await user.api.get('/s3/sts')).toMatchObject({ status: 501, body: { code: 'sts_not_configured' } });
    const { sts } = gateway.files.shared;
    sts.configured = true;
    try {
      const { status, body, headers } = await user.api.get('/s3/sts');
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      // Exactly what Uppy reads.
      expect(body).toEqual({
        credentials: {
          AccessKeyId: `of ${user.id}`,
          SecretAccessKey: 'secret',
          SessionToken: 'token',
          Expiration: expect.any(String),
        },
        bucket: 'nolo',
        region: 'eu-central-1',
      });
      const { Expiration } = (body as { credentials: { Expiration: string } }).credentials;
      expect(new Date(Expiration).getTime()).toBeGreaterThan(Date.now());
      expect((await gateway.anonymous.get('/s3/sts')).status).toBe(401);
    } finally {
      sts.configured = false;
    }
  });
});

describe('a form', () => {
  it('uploads in one request', async () => {
    const form = new FormData();
    form.set('kind', 'image');
    form.set('file', new Blob([randomBytes(100_000)]), 'käse.png');
    const { status, body } = await user.api.request('POST', '/api/upload-media', { body: form });
    expect(status).toBe(200);
    expect(body).toMatchObject({ url: `/objects/${body.id}`, name: 'käse.png', size: 100_000, kind: 'image' });
  });

  it('needs its file', async () => {
    const form = new FormData();
    form.set('kind', 'image');
    expect((await user.api.request('POST', '/api/upload-media', { body: form })).status).toBe(400);
    expect((await user.api.post('/api/upload-media', {})).status).toBe(415);
  });
});

describe('reading', () => {
  const stored = async (kind = 'video', name = 'film.mp4') => {
    const form = new FormData();
    form.set('kind', kind);
    form.set('file', new Blob(['0123456789']), name);
    return (await user.api.request('POST', '/api/upload-media', { body: form })).body.url as string;
  };
  const read = (path: string, headers: Record<string, string> = {}) => user.api.get(path, { headers });

  it('gives ranges', async () => {
    const path = await stored();
    const whole = await read(path);
    expect(whole.status).toBe(200);
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    expect(whole.headers.get('content-disposition')).toBe('inline; filename="film.mp4"');
    const some = await read(path, { range: 'bytes=2-4' });
    expect([some.status, some.body, some.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
    const beyond = await read(path, { range: 'bytes=50-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    const etag = whole.headers.get('etag') ?? '';
    expect((await read(path, { range: 'bytes=2-4', 'if-range': etag })).status).toBe(206);
    expect((await read(path, { range: 'bytes=2-4', 'if-range': '"other"' })).status).toBe(200);
    expect((await read(path, { 'if-none-match': etag })).status).toBe(304);
  });

  it('lets nobody keep what ends for longer than it is there', async () => {
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

  it('gives a file to whoever holds its signed address, without a session and for nobody to keep', async () => {
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

  it('hands on as bytes what is no medium, and whatever is asked for as a file', async () => {
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

  it('takes the widths that there are', async () => {
    const path = await stored('image', 'a.png');
    expect((await read(`${path}?size=320`)).status).toBe(200);
    expect((await read(`${path}?size=321`)).status).toBe(400);
  });
});
