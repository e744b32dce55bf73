import type { Secret } from '@nolo/kit/config';
import twilio from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import type { SmsSender } from '../domain/smsSender.ts';

const timeoutMs = 4000;

export interface TwilioOptions {
  accountSid: string;
  authToken: Secret;
  /** Number in E.164, or the SID of a messaging service (MG...). */
  from: string;
  /** Address of Twilio's API, if not the default. */
  apiUrl?: string | undefined;
}

/** Extends the official client to replace the origin of requests, for a simulator or an outgoing proxy. */
class RedirectedClient extends twilio.RequestClient {
  readonly #origin: string | undefined;

  constructor(origin: string | undefined) {
    super({ timeout: timeoutMs, keepAlive: true, autoRetry: false });
    this.#origin = origin;
  }

  override request<Data>(options: RequestClient.RequestOptions<Data>) {
    const uri = new URL(options.uri);
    const target = this.#origin === undefined ? uri : new URL(uri.pathname + uri.search, this.#origin);
    return super.request<Data>({ ...options, uri: target.href, timeout: timeoutMs });
  }
}

export function createTwilioSmsSender({ accountSid, authToken, from, apiUrl }: TwilioOptions): SmsSender {
  const client = twilio(accountSid, authToken.reveal(), { httpClient: new RedirectedClient(apiUrl) });
  const sender = from.startsWith('MG') ? { messagingServiceSid: from } : { from };
  return {
    async send(to, text) {
      try {
        await client.messages.create({ ...sender, to, body: text });
      } catch (error) {
        // The client's error contains the request with number and code, so only the status and code are passed on.
        const { status, code } = error as { status?: number; code?: number | string };
        throw new Error(`Twilio rejected the message (status ${status ?? 'none'}, code ${code ?? 'none'}).`);
      }
    },
  };
}
