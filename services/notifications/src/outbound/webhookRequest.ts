import http from 'node:http';
import https from 'node:https';
import { resolveAllowedAddresses, createPinnedLookup, type OutboundGuard } from '@nolo/kit/outbound';
import { webhookLimits } from '@nolo/rules';
import { Webhook as Signer } from 'standardwebhooks';
import type { WebhookAttempt, WebhookOutcome } from '../domain/webhook.ts';

/** Fixed user agent that identifies the sender. */
const userAgent = 'Nolo-Webhooks/1.0';

export type SendWebhook = (
  attempt: Pick<WebhookAttempt, 'delivery' | 'url' | 'body' | 'secrets'>,
  signal: AbortSignal,
) => Promise<WebhookOutcome>;

/** Builds the headers of Standard Webhooks. If there are two secrets, both sign. */
function createSignedHeaders(
  { delivery, body, secrets }: Pick<WebhookAttempt, 'delivery' | 'body' | 'secrets'>,
  at: Date,
): Record<string, string> {
  const signatures = secrets.map((secret) => new Signer(secret).sign(delivery.id, at, body));
  return {
    'webhook-id': delivery.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

/** Returns the status as soon as it arrives, then closes the connection without reading the body. */
function send(
  url: URL,
  addresses: readonly string[],
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
) {
  return new Promise<number>((resolve, reject) => {
    const begin = url.protocol === 'https:' ? https.request : http.request;
    begin(url, {
      method: 'POST',
      // Requests share nothing: no connection and no session.
      agent: false,
      lookup: createPinnedLookup(addresses),
      signal,
      maxHeaderSize: 16_384,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': userAgent,
      },
    })
      .on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.on('error', () => undefined).destroy();
      })
      // Protocol upgrades are never requested.
      .on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new Error('The receiver requested a protocol upgrade.'));
      })
      .on('error', reject)
      .end(body);
  });
}

function judged(status: number): WebhookOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  return status === 410 ? { kind: 'gone', status } : { kind: 'failed', reason: 'status', status };
}

/**
 * Makes one request to the current address of the host, if the guard allows it. A redirect is a normal response and is
 * not followed.
 */
export function createWebhookSender(
  guard: OutboundGuard,
  now: () => Date,
  answerMs: number = webhookLimits.answerMs,
): SendWebhook {
  return async (attempt, signal) => {
    const failed = (reason: 'timeout' | 'unreachable' | 'refused') =>
      ({ kind: 'failed', reason, status: null }) as const;
    const limit = AbortSignal.timeout(answerMs);
    const ending = AbortSignal.any([limit, signal]);
    try {
      const url = new URL(attempt.url);
      const addresses = await resolveAllowedAddresses(url, guard, ending);
      if (typeof addresses === 'string') return failed(addresses === 'refused' ? 'refused' : 'unreachable');
      return judged(await send(url, addresses, createSignedHeaders(attempt, now()), attempt.body, ending));
    } catch (error) {
      // Stopping the worker is not a response of the receiver.
      if (signal.aborted) throw error;
      return failed(limit.aborted ? 'timeout' : 'unreachable');
    }
  };
}
