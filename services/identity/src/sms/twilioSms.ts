import type { Secret } from '@nolo/kit/config';
import twilio from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import type { SmsSender } from '../domain/smsSender.ts';

const timeoutMs = 4000;

export interface TwilioOptions {
  accountSid: string;
  authToken: Secret;
  /** A number in E.164, or the SID of a messaging service (MG...). */
  from: string;
  /** Where Twilio's API is, if not at Twilio. */
  apiUrl?: string | undefined;
}

/** The official client, but with the requests' origin replaced, for a stand-in or a proxy on the way out. */
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

export function createTwilioSms({ accountSid, authToken, from, apiUrl }: TwilioOptions): SmsSender {
  const client = twilio(accountSid, authToken.reveal(), { httpClient: new RedirectedClient(apiUrl) });
  const sender = from.startsWith('MG') ? { messagingServiceSid: from } : { from };
  return {
    async send(to, text) {
      try {
        await client.messages.create({ ...sender, to, body: text });
      } catch (error) {
        // The client's own error holds the request, with number and code. Only what went wrong is passed on.
        const { status, code } = error as { status?: number; code?: number | string };
        throw new Error(`Twilio did not take the message (status ${status ?? 'none'}, code ${code ?? 'none'}).`);
      }
    },
  };
}
