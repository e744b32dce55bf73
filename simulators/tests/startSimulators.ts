import { createHash } from 'node:crypto';
import { loadConfig } from '@nolo/kit/config';
import { createLog } from '@nolo/kit/log';
import { createSimulators, type SimulatorsDependencies } from '../src/app.ts';
import { configSchema } from '../src/config.ts';

export const redirectUri = 'http://localhost:8080/api/callback';
export const postLogoutUri = 'http://localhost:8080/';
export const clientSecret = 'a-secret-for-the-tests';
export const accountSid = `AC${'1'.repeat(32)}`;
export const authToken = 'token-for-the-tests';

export async function startSimulators(env: Record<string, string> = {}, more: Partial<SimulatorsDependencies> = {}) {
  const config = loadConfig(configSchema, {
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_REDIRECT_URIS: redirectUri,
    OIDC_POST_LOGOUT_REDIRECT_URIS: postLogoutUri,
    TWILIO_ACCOUNT_SID: accountSid,
    TWILIO_AUTH_TOKEN: authToken,
    ...env,
  });
  const simulators = createSimulators({ config, log: createLog({ service: 'simulators', level: 'silent' }), ...more });
  const { port, url } = await simulators.start();
  return { url, port, stop: () => simulators.stop() };
}

interface Arrival {
  url: URL;
  response?: Response;
}

/** Minimal browser for signing in: cookies by path, and redirects that the test can inspect. */
export class TestVisitor {
  readonly #cookies = new Map<string, { value: string; path: string }>();

  async open(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url);
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie && { cookie }), ...(init.headers as Record<string, string>) },
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /**
   * Follows redirects until a page loads, or until an address outside `origin`, which is returned without loading it.
   */
  async follow(url: string | URL, origin: string, init?: RequestInit): Promise<Arrival> {
    let next = new URL(url);
    let response = await this.open(next, init);
    for (let hops = 0; hops < 10 && response.status >= 300 && response.status < 400; hops += 1) {
      next = new URL(response.headers.get('location') ?? '', next);
      if (next.origin !== origin) return { url: next };
      response = await this.open(next);
    }
    const markup = response.headers.get('content-type')?.includes('html') ? await response.clone().text() : '';
    if (markup.includes('<title>Submitting Callback</title>')) return this.#pressForm(markup, next, origin, response);
    return { url: next, response };
  }

  /** Submits the provider's form as its script would, but only if the policy lets the script run. */
  #pressForm(markup: string, url: URL, origin: string, { headers }: Response) {
    const script = /<script>(.*?)<\/script>/s.exec(markup)?.[1] ?? '';
    const digest = createHash('sha256').update(script).digest('base64');
    if (!headers.get('content-security-policy')?.includes(`'sha256-${digest}'`))
      throw new Error('the policy blocks the script');
    const fields = [...markup.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
    const action = new URL(/action="([^"]+)"/.exec(markup)?.[1] ?? '', url);
    return this.submit(action, origin, Object.fromEntries(fields) as Record<string, string>);
  }

  submit(url: string | URL, origin: string, fields: Record<string, string>): Promise<Arrival> {
    return this.follow(url, origin, { method: 'POST', body: new URLSearchParams(fields) });
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((attribute) => attribute.trim());
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
    if (value === '' || attributes.some((attribute) => /^expires=Thu, 01 Jan 1970/i.test(attribute))) {
      this.#cookies.delete(name);
    } else {
      this.#cookies.set(name, { value, path });
    }
  }
}
