import { createECDH, createPublicKey, randomBytes, verify, type ECDH } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import ece from 'http_ece';

/** Browser with a push subscription: the data it sends to the server, and what only it can decrypt. */
export interface SubscribedBrowser {
  /** Result of `PushSubscription.toJSON()`. */
  readonly subscription: {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  /** Received pushes, in order. */
  readonly received: ReceivedPush[];
}

export interface ReceivedPush {
  /** Payload, decrypted with the browser's own keys. */
  readonly body: Record<string, unknown>;
  readonly ttlSeconds: number;
  readonly urgency: string | undefined;
  readonly topic: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface Kept extends SubscribedBrowser {
  readonly curve: ECDH;
  readonly auth: Buffer;
}

const bytes = (base64url: string) => Buffer.from(base64url, 'base64url');

/** Returns the P-256 public key of an uncompressed point (RFC 8292, section 3.2). */
function keyOf(point: Buffer) {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((coordinate) => coordinate.toString('base64url'));
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
}

/** Returns the problem with the sender's VAPID proof (RFC 8292), or undefined. */
function objectionTo(authorization: string | undefined, origin: string): string | undefined {
  const { t, k } = Object.fromEntries(
    (authorization ?? '')
      .replace(/^vapid /, '')
      .split(/,\s*/)
      .map((coordinate) => coordinate.split(/=(.*)/s).slice(0, 2)),
  ) as { t?: string; k?: string };
  const [header = '', claims = '', signature = ''] = t?.split('.') ?? [];
  if (k === undefined || signature === '') return 'The proof is missing.';
  const signed = Buffer.from(`${header}.${claims}`);
  const isSigned = verify('sha256', signed, { key: keyOf(bytes(k)), dsaEncoding: 'ieee-p1363' }, bytes(signature));
  if (!isSigned) return 'The signature is invalid.';
  const { aud, exp, sub } = JSON.parse(bytes(claims).toString()) as { aud?: string; exp?: number; sub?: string };
  if (aud !== origin) return `The proof is for ${String(aud)}.`;
  const left = (exp ?? 0) - Date.now() / 1_000;
  if (left <= 0 || left > 86_400) return 'The proof has expired, or is valid for too long.';
  return /^(mailto:|https:)/.test(sub ?? '') ? undefined : 'The proof has no contact address.';
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * Starts a push service for tests. It accepts requests as in RFC 8030, from senders that prove themselves (RFC 8292),
 * and also plays the browsers, which decrypt what is encrypted for them (RFC 8291). Invalid requests are answered with
 * 400 and recorded.
 */
export async function startTestPushService() {
  const browsers = new Map<string, Kept>();
  const objections: string[] = [];
  const answers = { status: 201, headers: {} as Record<string, string> };
  let requests = 0;
  let onReceived: ((browser: SubscribedBrowser, push: ReceivedPush) => void) | undefined;

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
    if (typeof ttl !== 'string' || !/^\d+$/.test(ttl)) return object('The TTL is missing.');
    if (headers['content-encoding'] !== 'aes128gcm') return object('The content encoding must be aes128gcm.');
    // Push services accept a single record with its padding.
    if (body.length > 4_096) return object('The body is too long.');
    const topic = headers['topic'] as string | undefined;
    if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) return object('The topic is invalid.');
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
    /** Problems found in requests. */
    objections,
    /** Statuses to answer with instead of accepting the push with 201. */
    answers,
    get requests() {
      return requests;
    },
    onReceived(listener: typeof onReceived) {
      onReceived = listener;
    },
    browser(): SubscribedBrowser {
      const curve = createECDH('prime256v1');
      const p256dh = curve.generateKeys().toString('base64url');
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(12).toString('hex')}`;
      const keys = { p256dh, auth: auth.toString('base64url') };
      const browser = { subscription: { endpoint: `${origin}${path}`, keys }, received: [], curve, auth };
      browsers.set(path, browser);
      return browser;
    },
    /** Ends the subscription. */
    forget: ({ subscription }: SubscribedBrowser) => browsers.delete(new URL(subscription.endpoint).pathname),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type TestPushService = Awaited<ReturnType<typeof startTestPushService>>;
