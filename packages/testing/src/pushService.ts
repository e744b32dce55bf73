import { createECDH, createPublicKey, randomBytes, verify, type ECDH } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import ece from 'http_ece';

/** A browser that takes pushes: what it tells the server, and what only it can read. */
export interface PushedBrowser {
  /** As `PushSubscription.toJSON()` answers. */
  readonly subscription: {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  /** What has come, in its order. */
  readonly received: ReceivedPush[];
}

export interface ReceivedPush {
  /** Read with the browser's own keys. */
  readonly body: Record<string, unknown>;
  readonly ttlSeconds: number;
  readonly urgency: string | undefined;
  readonly topic: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface Kept extends PushedBrowser {
  readonly curve: ECDH;
  readonly auth: Buffer;
}

const bytes = (base64url: string) => Buffer.from(base64url, 'base64url');

/** The public key of P-256 from an uncompressed point (RFC 8292, section 3.2). */
function keyOf(point: Buffer) {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
}

/** What speaks against the sender's proof (RFC 8292); undefined where nothing does. */
function objectionTo(authorization: string | undefined, origin: string): string | undefined {
  const { t, k } = Object.fromEntries(
    (authorization ?? '')
      .replace(/^vapid /, '')
      .split(/,\s*/)
      .map((part) => part.split(/=(.*)/s).slice(0, 2)),
  ) as { t?: string; k?: string };
  const [header = '', claims = '', signature = ''] = t?.split('.') ?? [];
  if (k === undefined || signature === '') return 'There is no proof.';
  const signed = Buffer.from(`${header}.${claims}`);
  const isSigned = verify('sha256', signed, { key: keyOf(bytes(k)), dsaEncoding: 'ieee-p1363' }, bytes(signature));
  if (!isSigned) return 'The signature is wrong.';
  const { aud, exp, sub } = JSON.parse(bytes(claims).toString()) as { aud?: string; exp?: number; sub?: string };
  if (aud !== origin) return `The proof is for ${String(aud)}.`;
  const left = (exp ?? 0) - Date.now() / 1_000;
  if (left <= 0 || left > 86_400) return 'The proof is too old, or lasts too long.';
  return /^(mailto:|https:)/.test(sub ?? '') ? undefined : 'Nobody can be written to.';
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * A push service of the tests' own: it takes what RFC 8030 says, from senders that prove themselves (RFC 8292), and plays the
 * browsers too, which read what is encrypted for them alone (RFC 8291). What is wrong with a request it answers with 400, and
 * notes.
 */
export async function startPushService() {
  const browsers = new Map<string, Kept>();
  const objections: string[] = [];
  const answers = { status: 201, headers: {} as Record<string, string> };
  let requests = 0;
  let onReceived: ((browser: PushedBrowser, push: ReceivedPush) => void) | undefined;

  const take = (path: string, headers: IncomingMessage['headers'], body: Buffer): number => {
    const browser = browsers.get(path);
    if (!browser) return 404;
    const object = (why: string) => {
      objections.push(why);
      return 400;
    };
    const objection = objectionTo(headers.authorization, origin);
    if (objection !== undefined) return object(objection);
    const ttl = headers['ttl'];
    if (typeof ttl !== 'string' || !/^\d+$/.test(ttl)) return object('There is no TTL.');
    if (headers['content-encoding'] !== 'aes128gcm') return object('The encoding is another one.');
    // One record and its padding, as push services have it.
    if (body.length > 4_096) return object('The body is too long.');
    const topic = headers['topic'] as string | undefined;
    if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) return object('The topic is none.');
    const opened = ece.decrypt(body, {
      version: 'aes128gcm',
      privateKey: browser.curve,
      authSecret: browser.auth.toString('base64url'),
    });
    const push = {
      body: JSON.parse(opened.toString()) as Record<string, unknown>,
      ttlSeconds: Number(ttl),
      urgency: headers['urgency'] as string | undefined,
      topic,
      at: Date.now(),
    };
    browser.received.push(push);
    onReceived?.(browser, push);
    return 201;
  };

  const server = createServer((request, response) => {
    requests += 1;
    const { url = '', headers, method } = request;
    bodyOf(request)
      .then((body) => {
        if (answers.status !== 201) response.writeHead(answers.status, answers.headers).end();
        else response.writeHead(method === 'POST' ? take(url, headers, body) : 405).end();
      })
      .catch((error: unknown) => {
        objections.push(String(error));
        response.writeHead(400).end();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  return {
    origin,
    /** What was wrong with requests. */
    objections,
    /** What is answered in place of taking the push, other than 201. */
    answers,
    get requests() {
      return requests;
    },
    onReceived(listener: typeof onReceived) {
      onReceived = listener;
    },
    browser(): PushedBrowser {
      const curve = createECDH('prime256v1');
      const p256dh = curve.generateKeys().toString('base64url');
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(12).toString('hex')}`;
      const keys = { p256dh, auth: auth.toString('base64url') };
      const browser = { subscription: { endpoint: `${origin}${path}`, keys }, received: [], curve, auth };
      browsers.set(path, browser);
      return browser;
    },
    /** Its subscription is over. */
    forget: ({ subscription }: PushedBrowser) => browsers.delete(new URL(subscription.endpoint).pathname),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type TestPushService = Awaited<ReturnType<typeof startPushService>>;
