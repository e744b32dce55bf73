import type { RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { eventually } from '@nolo/testing';
import { isPublicAddress, type ResolveHost } from '@nolo/kit/outbound';
import { createLinkPreviewer, type LinkPreviewer } from '../src/links/linkPreviewer.ts';
import { onePixelPng, privateAddress, publicAddress, startLinkSite, type LinkSite } from './linkSite.ts';

const never = new AbortController().signal;
const html = (response: ServerResponse, text: string | Buffer, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(text);

/** Response of the site; each test sets its own. */
let serve: RequestListener = (_request, response) => void response.writeHead(404).end();
/** Fake DNS results; each test may set its own. */
let resolve: ResolveHost;
let site: LinkSite;
/** Private server, like everything behind the gateway, on the site's port. */
let canary: LinkSite;
let preview: LinkPreviewer;
let origin: string;

const secret = '<title>the canary sang</title>';

beforeAll(async () => {
  site = await startLinkSite((request, response) => serve(request, response));
  canary = await startLinkSite((_request, response) => html(response, secret), privateAddress, site.port);
  origin = `http://site.test:${String(site.port)}`;
  preview = createLinkPreviewer({
    guard: {
      resolveHost: (hostname, signal) => resolve(hostname, signal),
      addressAllowed: (address) => address === publicAddress || isPublicAddress(address),
      portAllowed: (port) => port === site.port,
      isBarred: (hostname) => hostname === 'barred.test',
    },
    timeLimitMs: 1_500,
  });
});

beforeEach(() => {
  resolve = async (hostname) => (hostname === 'site.test' ? [publicAddress] : [privateAddress]);
});

afterAll(async () => {
  await Promise.all([site.stop(), canary.stop()]);
});

afterEach(async () => {
  expect(canary.connections()).toBe(0);
  // Every connection is closed, whatever happened.
  await eventually(async () => (await site.open()) === 0);
});

const refusal = (code: string) => expect.objectContaining({ code });
const fetchPreview = (path = '/') => preview(`${origin}${path}`, never);
const page = (head: string) => {
  serve = (_request, response) => html(response, `<!doctype html><head>${head}</head><body>`);
};

describe('a page', () => {
  it('is previewed from its own metadata', async () => {
    serve = (request, response) =>
      request.url === '/pictures/cover.png'
        ? response.writeHead(200, { 'content-type': 'image/png' }).end(onePixelPng)
        : html(
            response,
            `<html><head><title>The title</title>
              <meta property="og:title" content="A &amp; B"><meta name="twitter:title" content="not this one">
              <meta name="description" content="Of two letters.">
              <meta property="og:site_name" content="Letters"><meta property="og:image" content="../pictures/cover.png">
            </head><body><meta property="og:title" content="nor this one">`,
          );
    expect(await fetchPreview('/words/page?a=b')).toEqual({
      url: `${origin}/words/page?a=b`,
      title: 'A & B',
      description: 'Of two letters.',
      siteName: 'Letters',
      image: `data:image/png;base64,${onePixelPng.toString('base64')}`,
    });
  });

  it('is requested with no data of the user', async () => {
    page('<title>x</title>');
    site.requests.length = 0;
    await fetchPreview();
    expect(site.requests[0]?.rawHeaders).toEqual([
      'accept',
      'text/html, application/xhtml+xml',
      'accept-encoding',
      'gzip, br',
      'user-agent',
      'Mozilla/5.0 (compatible; Nolo link preview)',
      'Host',
      `site.test:${String(site.port)}`,
      'Connection',
      'close',
    ]);
  });

  it('is decoded in whatever encoding it declares', async () => {
    const hello = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
    const titled = (before = '') => Buffer.concat([Buffer.from(`${before}<title>`), hello, Buffer.from('</title>')]);
    const cases: [Buffer, string][] = [
      [titled(), 'text/html; charset=windows-1251'],
      [titled('<meta charset="windows-1251">'), 'text/html'],
      [titled('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'), 'text/html'],
      [titled('<meta charset="windows-1251">'), 'text/html; charset=no-such-encoding'],
      [Buffer.from('\ufeff<title>Привет</title>'), 'text/html; charset=windows-1251'],
      [Buffer.from('\ufeff<title>Привет</title>', 'utf16le'), 'text/html'],
      [Buffer.from('<title>Привет</title>'), 'text/html'],
    ];
    for (const [body, type] of cases) {
      serve = (_request, response) => html(response, body, { 'content-type': type });
      expect({ type, title: (await fetchPreview()).title }).toEqual({ type, title: 'Привет' });
    }
  });

  it('is decompressed before parsing', async () => {
    const text = Buffer.from('<title>small</title>');
    for (const [encoding, body] of [
      ['gzip', gzipSync(text)],
      ['br', brotliCompressSync(text)],
      ['identity', text],
    ] as const) {
      serve = (_request, response) => html(response, body, { 'content-encoding': encoding });
      expect((await fetchPreview()).title).toBe('small');
    }
  });

  it('has a title and description of one line, with bounded length and isolated direction', async () => {
    page(`<title> \u202egnp.\n\texe\u0000 \u2066${'é'.repeat(500)}</title>`);
    const { title } = await fetchPreview();
    expect(title).toMatch(/^gnp\. exe\ufffd? é+…$/);
    expect([...(title ?? '')].length).toBeLessThanOrEqual(200);
  });

  it('has no preview without metadata, or if it is not a page', async () => {
    page('');
    await expect(fetchPreview()).rejects.toEqual(refusal('link_without_preview'));
    for (const type of ['application/json', 'application/pdf', 'image/svg+xml', 'text/plain', 'image/png']) {
      serve = (_request, response) => response.writeHead(200, { 'content-type': type }).end(secret);
      await expect(fetchPreview()).rejects.toEqual(refusal('link_without_preview'));
    }
    serve = (_request, response) => void response.writeHead(200).end(secret);
    await expect(fetchPreview()).rejects.toEqual(refusal('link_without_preview'));
  });

  it('has no preview if it does not exist', async () => {
    for (const status of [204, 304, 401, 404, 500, 503]) {
      serve = (_request, response) => void response.writeHead(status, { 'content-type': 'text/html' }).end();
      await expect(fetchPreview()).rejects.toEqual(refusal('link_unreachable'));
    }
    serve = (request) => void request.socket.destroy();
    await expect(fetchPreview()).rejects.toEqual(refusal('link_unreachable'));
    serve = (request) => void request.socket.end('no HTTP at all\r\n\r\n');
    await expect(fetchPreview()).rejects.toEqual(refusal('link_unreachable'));
    resolve = async () => [];
    await expect(fetchPreview()).rejects.toEqual(refusal('link_unreachable'));
  });
});

describe('a picture', () => {
  const pictured = (type: string | undefined, bytes: Buffer | string) => {
    serve = (request, response) => {
      if (request.url !== '/picture') html(response, '<title>x</title><meta property="og:image" content="/picture">');
      else response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(bytes);
    };
    return fetchPreview();
  };

  it('is recognized by type and by bytes, and is never SVG', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
    expect((await pictured('image/jpeg', onePixelPng)).image).toMatch(/^data:image\/png;base64,/);
    expect((await pictured('image/svg+xml', svg)).image).toBeNull();
    expect((await pictured('image/png', svg)).image).toBeNull();
    expect((await pictured('image/png', '<script>alert(1)</script>')).image).toBeNull();
    expect((await pictured('text/html', onePixelPng)).image).toBeNull();
    expect((await pictured(undefined, onePixelPng)).image).toBeNull();
    expect((await pictured('image/png', '')).image).toBeNull();
  });

  it('is left out if it is too large, even compressed', async () => {
    const large = Buffer.concat([onePixelPng, Buffer.alloc(2_097_152)]);
    expect((await pictured('image/png', large)).image).toBeNull();
    serve = (request, response) => {
      if (request.url !== '/picture') html(response, '<title>x</title><meta property="og:image" content="/picture">');
      else response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' }).end(gzipSync(large));
    };
    expect((await fetchPreview()).image).toBeNull();
  });

  it('is fetched as carefully as the page', async () => {
    for (const address of [
      `http://${privateAddress}:${String(site.port)}/x.png`,
      `http://inside.test:${String(site.port)}/x.png`,
      `http://ada:secret@site.test:${String(site.port)}/x.png`,
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
      'http://site.test:22/x.png',
    ]) {
      page(`<title>x</title><meta property="og:image" content="${address}">`);
      expect(await fetchPreview()).toMatchObject({ title: 'x', image: null });
    }
  });
});

describe('a barred host', () => {
  it('is never contacted, neither for a page nor after a redirect nor for an image', async () => {
    const barred = `http://barred.test:${String(site.port)}/`;
    resolve = async () => [publicAddress];
    const requestedPages: string[] = [];
    serve = ({ headers, url }, response) => {
      requestedPages.push(`${headers.host?.split(':')[0] ?? ''}${url ?? ''}`);
      if (url === '/away') response.writeHead(302, { location: barred }).end();
      else html(response, `<title>Honest</title><meta property="og:image" content="${barred}a.png">`);
    };
    await expect(preview(barred, never)).rejects.toEqual(refusal('link_barred'));
    await expect(fetchPreview('/away')).rejects.toEqual(refusal('link_barred'));
    expect(await fetchPreview('/page')).toMatchObject({ title: 'Honest', image: null });
    expect(requestedPages).toEqual(['site.test/away', 'site.test/page']);
  });
});

describe('a redirect', () => {
  const to = (location: string) => {
    serve = (_request, response) => void response.writeHead(302, { location }).end(secret);
  };

  it('is followed at most five times', async () => {
    serve = (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) html(response, '<title>arrived</title>');
      else response.writeHead([301, 302, 303, 307, 308][left % 5] ?? 302, { location: `/${String(left - 1)}` }).end();
    };
    expect((await fetchPreview('/5')).title).toBe('arrived');
    await expect(fetchPreview('/6')).rejects.toEqual(refusal('link_unreachable'));
  });

  it.each([
    () => `http://${privateAddress}:${String(site.port)}/`,
    () => `http://inside.test:${String(site.port)}/`,
    () => `//${privateAddress}:${String(site.port)}/`,
    () => 'http://site.test:6379/',
  ])('is not followed to a forbidden address (%#)', async (location) => {
    to(location());
    await expect(fetchPreview()).rejects.toEqual(refusal('link_refused'));
  });

  it('is not followed to anything but a page', async () => {
    to('file:///etc/passwd');
    await expect(fetchPreview()).rejects.toEqual(refusal('link_invalid'));
  });
});

describe('a name whose address changes', () => {
  it('is resolved once, and connected to at that address', async () => {
    page('<title>public</title>');
    let requestedPages = 0;
    resolve = async () => {
      requestedPages += 1;
      return requestedPages === 1 ? [publicAddress] : [privateAddress];
    };
    expect((await fetchPreview()).title).toBe('public');
    expect(requestedPages).toBe(1);
  });

  it('is resolved and checked again for a redirect and for the image', async () => {
    serve = (_request, response) => void response.writeHead(302, { location: '/' }).end();
    let requestedPages = 0;
    resolve = async () => {
      requestedPages += 1;
      return requestedPages % 2 === 1 ? [publicAddress] : [privateAddress];
    };
    await expect(fetchPreview()).rejects.toEqual(refusal('link_refused'));
    page('<title>x</title><meta property="og:image" content="/picture">');
    expect(await fetchPreview()).toMatchObject({ title: 'x', image: null });
  });

  it('is connected to at public addresses only', async () => {
    page('<title>public</title>');
    resolve = async () => [privateAddress, '::1', publicAddress, '10.0.0.1'];
    expect((await fetchPreview()).title).toBe('public');
  });
});

describe('a malicious server', () => {
  it('cannot keep a request open by being slow', async () => {
    const timers: NodeJS.Timeout[] = [];
    const dribble = (write: () => void) => timers.push(setInterval(write, 20));
    const slow: RequestListener[] = [
      () => undefined,
      (request) => {
        request.socket.write('HTTP/1.1 200 OK\r\n');
        dribble(() => request.socket.write('x: y\r\n'));
      },
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).write('<title>');
        dribble(() => response.write('a'));
      },
      (request) => dribble(() => request.socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')),
    ];
    try {
      for (const listener of slow) {
        serve = listener;
        await expect(fetchPreview()).rejects.toEqual(refusal('link_unreachable'));
      }
      // The preview keeps the page's metadata even if its picture never arrives.
      serve = (request, response) => {
        if (request.url === '/') html(response, '<title>x</title><meta property="og:image" content="/picture">');
      };
      expect(await fetchPreview()).toMatchObject({ title: 'x', image: null });
    } finally {
      for (const timer of timers) clearInterval(timer);
    }
  });

  it('cannot fill the memory, compressed or not', async () => {
    const large = Buffer.alloc(20_000_000, ' ');
    const bombs: [Buffer, string][] = [
      [large, 'identity'],
      [gzipSync(large), 'gzip'],
      [brotliCompressSync(large), 'br'],
      [gzipSync(gzipSync(large)), 'gzip, gzip'],
    ];
    for (const [body, encoding] of bombs) {
      serve = (_request, response) => html(response, body, { 'content-encoding': encoding });
      const code = encoding.includes(',') ? 'link_unreachable' : 'link_too_large';
      await expect(fetchPreview()).rejects.toEqual(refusal(code));
    }
    serve = (_request, response) => html(response, 'not gzip at all', { 'content-encoding': 'gzip' });
    await expect(fetchPreview()).rejects.toEqual(refusal('link_unreachable'));
    serve = (_request, response) => void response.writeHead(200, { x: 'y'.repeat(30_000) }).end();
    await expect(fetchPreview()).rejects.toEqual(refusal('link_unreachable'));
  });

  it('is read to the end of its head, however long it is', async () => {
    page(`<title>found</title>${'<script>1;</script>'.repeat(200_000)}`);
    expect((await fetchPreview()).title).toBe('found');
    page(`<title>found</title><style>${'a{}'.repeat(1_000_000)}</style>`);
    expect((await fetchPreview()).title).toBe('found');
    page(`<title>found</title>${'<noscript>'.repeat(60_000)}${'</p>'.repeat(100_000)}`);
    expect((await fetchPreview()).title).toBe('found');
    serve = (_request, response) => html(response, `<title>found</title><div>${'</span>'.repeat(1_000_000)}`);
    expect((await fetchPreview()).title).toBe('found');
  });

  it('is disconnected when the user leaves', async () => {
    const gone = new AbortController();
    serve = () => gone.abort();
    await expect(preview(`${origin}/`, gone.signal)).rejects.toEqual(refusal('link_unreachable'));
  });
});
