import { randomPhone, type Json } from '@nolo/testing';
import { WebSocket } from 'ws';

/**
 * Implements a client from section 7 of the specification alone: its paths, methods, payloads and the answers that it
 * reads are as written there. Stores cookies, as browsers do, and sends what browsers send by themselves.
 */
export class SpecificationClient {
  readonly #baseUrl: string;
  readonly #cookies = new Map<string, string>();
  id = '';
  phoneNumber = randomPhone();

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  get headers(): Record<string, string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { cookie, origin: this.#baseUrl, 'sec-fetch-site': 'same-origin' };
  }

  /** Sends a generic request: method and address, with credentials. Anything but success becomes an error. */
  async request(method: string, path: string, body?: unknown): Promise<Json> {
    const form = body instanceof FormData || body instanceof Uint8Array;
    const response = await fetch(new URL(path, this.#baseUrl), {
      method,
      redirect: 'manual',
      headers: { ...this.headers, ...(body === undefined || form ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${response.status}: ${text === '' ? response.statusText : text}`);
    return response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text;
  }

  async signIn(): Promise<this> {
    const { phoneNumber } = this;
    const { demoCode } = await this.request('GET', '/api/config');
    const sent = await this.request('POST', '/api/verification/send', { type: 'sms', phoneNumber });
    expect(sent).toMatchObject({ success: true, message: expect.any(String) });
    const verified = await this.request('POST', '/api/verification/verify', {
      type: 'sms',
      code: demoCode,
      phoneNumber,
    });
    expect(verified).toMatchObject({ success: true, token: expect.any(String), message: expect.any(String) });
    this.id = (await this.request('GET', '/api/auth/user')).id as string;
    return this;
  }

  socket(): WebSocket {
    return new WebSocket(new URL('/ws', this.#baseUrl.replace('http', 'ws')), { headers: this.headers });
  }
}
