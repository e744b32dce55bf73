import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { resolveAllowedAddresses, createPinnedLookup, type OutboundGuard } from '@nolo/kit/outbound';
import { pushLimits } from '@nolo/rules';
import webPush from 'web-push';
import type { PushOutcome, DuePush } from '../domain/push.ts';
import type { VapidKeys } from '../domain/vapidKeys.ts';

export type SendPush = (push: DuePush, signal: AbortSignal) => Promise<PushOutcome>;

class Refused extends Error {}

/**
 * Returns a topic in the form that push services accept: at most 32 characters and unreadable to them (RFC 8030,
 * section 5.4).
 */
const topicOf = (topic: string) => createHash('sha256').update(topic).digest('base64url').slice(0, 32);

/** Parses seconds or a date (RFC 9110, section 10.2.3). */
function retryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, 3_600_000) : undefined;
}

function judged(response: http.IncomingMessage, now: number): PushOutcome {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  // 403: the subscription belongs to a different key and can never be used.
  if (status === 404 || status === 410 || status === 403) return { kind: 'gone' };
  if (status === 429 || status >= 500 || status === 401) {
    return { kind: 'failed', reason: 'status', retryAfterMs: retryAfter(response.headers['retry-after'], now) };
  }
  return { kind: 'refused' };
}

/**
 * Sends requests to push services. Connections are reused, because all browsers of one vendor share a host. The address
 * is resolved and checked for each new connection, which uses exactly the checked address.
 */
export function createPushSender(options: {
  guard: OutboundGuard;
  keys: () => Promise<VapidKeys>;
  contact: string;
  now: () => Date;
  answerMs?: number | undefined;
}): { send: SendPush; stop: () => void } {
  const { guard, keys, contact, now, answerMs = pushLimits.answerMs } = options;
  const kept = { keepAlive: true, maxSockets: 50, scheduling: 'lifo' as const };
  const agents = { 'https:': new https.Agent(kept), 'http:': new http.Agent(kept) };

  const find = async (url: URL) => {
    const found = await resolveAllowedAddresses(url, guard, AbortSignal.timeout(answerMs));
    if (typeof found !== 'string') return createPinnedLookup(found);
    throw found === 'refused' ? new Refused() : new Error('The host does not exist.');
  };
  const lookupFor =
    (url: URL): LookupFunction =>
    (hostname, how, callback) => {
      const resolveHost = async () => {
        let pinned: LookupFunction;
        try {
          pinned = await find(url);
        } catch (error) {
          callback(error as Error, '');
          return;
        }
        pinned(hostname, how, callback);
      };
      void resolveHost();
    };

  const send: SendPush = async (push, signal) => {
    const { subscription, body, urgency, topic, expiresAt } = push;
    const url = new URL(subscription.endpoint);
    const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal) !== 0 && !guard.addressAllowed(literal, url)) return { kind: 'refused' };
    const {
      method,
      headers,
      body: sealed,
    } = webPush.generateRequestDetails(
      { endpoint: url.href, keys: { p256dh: subscription.p256dh, auth: subscription.auth } },
      JSON.stringify(body),
      {
        vapidDetails: { subject: contact, ...(await keys()) },
        TTL: Math.max(0, Math.round((expiresAt.getTime() - now().getTime()) / 1_000)),
        urgency,
        topic: topicOf(topic),
        contentEncoding: 'aes128gcm',
      },
    );
    const limit = AbortSignal.timeout(answerMs);
    const secure = url.protocol === 'https:';
    return await new Promise<PushOutcome>((resolve, reject) => {
      (secure ? https : http)
        .request(url, {
          method,
          headers: headers as http.OutgoingHttpHeaders,
          agent: agents[secure ? 'https:' : 'http:'],
          lookup: lookupFor(url),
          signal: AbortSignal.any([limit, signal]),
          maxHeaderSize: 16_384,
        })
        .on('response', (response) => {
          resolve(judged(response, now().getTime()));
          // Reads to the end so that the connection can be reused, unless the response is too long to be worth it.
          const read = (chunk: Buffer) => {
            if (chunk.length > 65_536) response.destroy();
          };
          response.on('error', () => undefined).on('data', read);
        })
        .on('error', (error) => {
          if (error instanceof Refused) resolve({ kind: 'refused' });
          // Stopping the worker is not a response of the push service.
          else if (signal.aborted) reject(error);
          else resolve({ kind: 'failed', reason: limit.aborted ? 'timeout' : 'unreachable' });
        })
        .end(sealed);
    });
  };
  return {
    send,
    stop: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
