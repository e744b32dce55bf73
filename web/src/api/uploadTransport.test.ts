/** @jest-environment jsdom */
import { createUploadTransport } from './uploadTransport.ts';

const expired =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';

const { origin } = location;

/** Answers of the upload addresses, in this order; the last one repeats. */
let answers: { status: number; body: string }[] = [];
let signed = 0;
const sent: string[] = [];

/** Minimal browser request for an upload. */
class FakeRequest extends EventTarget {
  readonly upload = new EventTarget();
  status = 0;
  responseText = '';
  responseType = '';
  #url = '';

  open(_method: string, url: string): void {
    this.#url = url;
  }
  setRequestHeader(): void {}
  abort(): void {}
  getAllResponseHeaders(): string {
    return 'etag: "one"\r\n';
  }
  send(): void {
    sent.push(this.#url);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    this.status = answer?.status ?? 200;
    this.responseText = answer?.body ?? '';
    queueMicrotask(() => this.dispatchEvent(new Event('load')));
  }
}

const [browserFetch, BrowserRequest] = [globalThis.fetch, globalThis.XMLHttpRequest];
beforeAll(() => {
  globalThis.XMLHttpRequest = FakeRequest as unknown as typeof XMLHttpRequest;
  globalThis.fetch = (async (path: string) => {
    const isParameters = path.startsWith('/s3/params');
    if (isParameters) signed += 1;
    const body = isParameters
      ? {
          method: 'PUT',
          url: `${origin}/s3/uploads/f1?signature=${signed}`,
          fields: {},
          headers: {},
          key: 'uploads/f1',
          expires: 900,
        }
      : { id: 'f1', url: '/objects/f1' };
    return { ok: true, status: 200, headers: new Headers(), json: () => Promise.resolve(body) };
  }) as unknown as typeof fetch;
});
afterAll(() => {
  globalThis.fetch = browserFetch;
  globalThis.XMLHttpRequest = BrowserRequest;
});
beforeEach(() => {
  signed = 0;
  sent.length = 0;
});

const upload = () =>
  createUploadTransport().upload({
    file: new Blob(['Hello']),
    name: 'hello.txt',
    kind: 'file',
    onPlace() {},
    onProgress() {},
    onStall() {},
  }).done;

test.each([
  ['has expired', { status: 403, body: expired }],
  ['is requested too often', { status: 429, body: '' }],
])('a single-piece upload whose URL %s continues at a fresh one', async (_, refusal) => {
  answers = [refusal, { status: 200, body: '' }];
  await expect(upload()).resolves.toMatchObject({ id: 'f1' });
  expect(sent).toEqual([1, 2].map((time) => `${origin}/s3/uploads/f1?signature=${time}`));
});

test('a refusal because of the file itself ends the upload', async () => {
  answers = [{ status: 403, body: '{"code":"origin_refused","message":"No."}' }];
  await expect(upload()).rejects.toMatchObject({ status: 403, code: 'origin_refused' });
  expect(sent).toHaveLength(1);
});
