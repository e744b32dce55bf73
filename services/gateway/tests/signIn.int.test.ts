import { get } from 'node:http';
import { loadConfig } from '@nolo/kit/config';
import { createLog } from '@nolo/kit/log';
import { eventually } from '@nolo/testing';
import { findFreePort } from '../../../scripts/ports.ts';
import { createSimulators, type Simulators } from '../../../simulators/src/app.ts';
import { configSchema } from '../../../simulators/src/config.ts';
import { startGateway, type TestGateway } from './startGateway.ts';

const clientSecret = 'a client secret for tests';
let gateway: TestGateway;
let simulators: Simulators;
let providerUrl: string;

beforeAll(async () => {
  const port = await findFreePort();
  const publicUrl = `http://localhost:${port}`;
  const log = createLog({ service: 'test', level: 'silent' });
  const config = loadConfig(configSchema, {
    SIMULATORS_LISTEN: '127.0.0.1:0',
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_REDIRECT_URIS: `${publicUrl}/api/callback`,
    OIDC_POST_LOGOUT_REDIRECT_URIS: `${publicUrl}/`,
  });
  simulators = createSimulators({ config, log });
  providerUrl = (await simulators.start()).url;
  gateway = await startGateway({
    PORT: String(port),
    HOST: 'localhost',
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: `${providerUrl}/oidc`,
    OIDC_CLIENT_ID: 'nolo',
    OIDC_CLIENT_SECRET: clientSecret,
  });
});
afterAll(async () => {
  await gateway.stop();
  await simulators.stop();
});

interface OpenedPage {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
}

/** Minimal browser for sign-in tests: cookies by host and one redirect at a time. */
class Browser {
  readonly cookies = new Map<string, string>();

  async openPage(address: string | URL, init: RequestInit = {}): Promise<OpenedPage> {
    const url = new URL(address, gateway.origin);
    const cookie = [...this.cookies]
      .filter(([key]) => key.startsWith(`${url.port} `))
      .map(([key, value]) => `${key.split(' ')[1]}=${value}`);
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string> | undefined), cookie: cookie.join('; ') },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0|1970/i.test(line)) this.cookies.delete(`${url.port} ${name}`);
      else this.cookies.set(`${url.port} ${name}`, value);
    }
    return { url, status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Follows redirects to the first page or to one of our addresses outside the API. */
  async follow(address: string | URL, init: RequestInit = {}): Promise<OpenedPage> {
    let page = await this.openPage(address, init);
    for (let hop = 0; hop < 10 && page.status >= 300 && page.status < 400; hop += 1) {
      const next = new URL(page.headers.get('location') ?? '', page.url);
      if (next.origin === gateway.origin && !next.pathname.startsWith('/api/')) return { ...page, url: next };
      page = await this.openPage(next);
    }
    return page;
  }

  /** Completes the provider's page and returns where the browser ends up. */
  async signIn(
    start: string,
    form: Record<string, string> = { action: 'continue', name: 'Ada Byron', email: 'ada.byron@example.com' },
  ): Promise<URL> {
    const page = await this.follow(start, { headers: { 'sec-fetch-site': 'same-origin' } });
    if (page.url.pathname.startsWith('/sign-in/')) {
      const body = new URLSearchParams(form);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: page.url.origin };
      return (await this.follow(page.url, { method: 'POST', body, headers })).url;
    }
    return page.url;
  }

  async self() {
    const page = await this.openPage('/api/auth/user');
    return page.status === 200 ? JSON.parse(page.text) : undefined;
  }
}

const place = (url: URL) => url.pathname + url.search;

it('signs in and returns to the requested page', async () => {
  const browser = new Browser();
  expect(place(await browser.signIn('/api/login?returnTo=%2Fchat%2Fabc%3Fx%3D1'))).toBe('/chat/abc?x=1');
  expect(await browser.self()).toMatchObject({
    email: 'ada.byron@example.com',
    firstName: 'Ada',
    lastName: 'Byron',
    profileComplete: true,
  });
  expect([...browser.cookies.keys()].filter((key) => key.includes('sign_in.'))).toEqual([]);
});

it('never redirects to another site', async () => {
  for (const returnTo of ['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example']) {
    const url = await new Browser().signIn(`/api/login?returnTo=${encodeURIComponent(returnTo)}`);
    expect([url.origin, place(url)]).toEqual([gateway.origin, '/']);
  }
});

it('uses PKCE, state and nonce', async () => {
  const { headers } = await new Browser().openPage('/api/login');
  const authorizationParameters = new URL(headers.get('location') ?? '').searchParams;
  expect(Object.fromEntries(authorizationParameters)).toMatchObject({
    code_challenge_method: 'S256',
    response_type: 'code',
    scope: 'openid email profile',
  });
  expect(authorizationParameters.get('state')?.length).toBeGreaterThan(20);
  expect(authorizationParameters.get('nonce')?.length).toBeGreaterThan(20);
});

it('starts on the host to which the provider returns the browser', async () => {
  const { port } = new URL(gateway.origin);
  const { headers } = await new Browser()
    .openPage(`http://127.0.0.1:${port}/api/login?returnTo=/contacts`)
    .catch(() => new Browser().openPage(`http://[::1]:${port}/api/login?returnTo=/contacts`));
  expect(headers.get('location')).toBe(`${gateway.origin}/api/login?returnTo=/contacts`);
});

it('reports a cancelled and an expired sign-in to the page', async () => {
  const browser = new Browser();
  expect(place(await browser.signIn('/api/login?returnTo=/contacts', { action: 'cancel' }))).toBe(
    '/?sign_in_error=cancelled',
  );
  expect(place((await browser.follow('/api/callback?code=x&state=unknown')).url)).toBe('/?sign_in_error=expired');
  expect(place((await browser.follow('/api/callback')).url)).toBe('/?sign_in_error=expired');
  expect(await browser.self()).toBeUndefined();
});

it('accepts a response once, and only in the browser that requested it', async () => {
  const [mine, theirs] = [new Browser(), new Browser()];
  const start = await mine.openPage('/api/login');
  const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? '';
  expect(place((await theirs.follow(`/api/callback?code=x&state=${state}`)).url)).toBe('/?sign_in_error=expired');
  expect(place((await mine.follow(`/api/callback?code=x&state=${state}`)).url)).toBe('/?sign_in_error=failed');
  expect(place((await mine.follow(`/api/callback?code=x&state=${state}`)).url)).toBe('/?sign_in_error=expired');
});

it('completes two sign-ins started in two tabs', async () => {
  const browser = new Browser();
  await browser.openPage('/api/login?returnTo=/first');
  await browser.openPage('/api/login?returnTo=/second');
  expect([...browser.cookies.keys()].filter((key) => key.includes('sign_in.'))).toHaveLength(2);
  expect(place(await browser.signIn('/api/login?returnTo=/third'))).toBe('/third');
});

async function phone(phoneNumber: string): Promise<Browser> {
  const browser = new Browser();
  await browser.openPage('/api/verification/verify', {
    method: 'POST',
    body: JSON.stringify({ type: 'sms', phoneNumber, code: '424242' }),
    headers: { 'content-type': 'application/json', origin: gateway.origin },
  });
  return browser;
}

it('links the provider to the signed-in account, and to only one', async () => {
  const person = { action: 'continue', name: 'Grace H', email: 'grace.h@example.com' };
  const first = await phone('+27840000001');
  expect(place(await first.signIn('/api/login?link=1', person))).toBe('/profile');
  expect(await first.self()).toMatchObject({ phoneNumber: '+27840000001', providerIssuers: [`${providerUrl}/oidc`] });
  const second = await phone('+27840000002');
  expect(place(await second.signIn('/api/login?link=1', person))).toBe('/profile?link_error=provider_taken');
  expect((await second.self()).providerIssuers).toEqual([]);
  expect(place((await new Browser().follow('/api/login?link=1')).url)).toBe('/profile?link_error=signed_out');
});

it("accepts a new provider sign-in as proof, from our own pages and for the account's own identity", async () => {
  const person = { action: 'continue', name: 'Mary S', email: 'mary.s@example.com' };
  const browser = new Browser();
  await browser.signIn('/api/login', person);
  const authorizationParameters = new URL(
    (await browser.openPage('/api/login?prove=1', { headers: { 'sec-fetch-site': 'same-origin' } })).headers.get(
      'location',
    ) ?? '',
  ).searchParams;
  expect([authorizationParameters.get('prompt'), authorizationParameters.get('max_age')]).toEqual(['login', '0']);
  expect(place(await browser.signIn('/api/login?prove=1', person))).toBe('/proof?outcome=proven');
  const { sessionId } = await browser.self();
  expect(gateway.identity.proofs).toEqual([sessionId]);
  // Signs in a different person at the provider by clearing its cookies.
  for (const key of browser.cookies.keys()) {
    if (key.startsWith(`${new URL(providerUrl).port} `)) browser.cookies.delete(key);
  }
  const other = { ...person, email: 'percy@example.com' };
  expect(place(await browser.signIn('/api/login?prove=1', other))).toBe('/proof?outcome=proof_mismatch');
  expect(place((await browser.follow('/api/login?prove=1')).url)).toBe('/proof?outcome=signed_out');
  expect(place(await browser.signIn('/api/login?prove=1', { action: 'cancel' }))).toBe('/proof?outcome=cancelled');
  expect((await browser.self()).sessionId).toBe(sessionId);
});

it('starts linking only once the session is proven', async () => {
  const browser = await phone('+27840000005');
  gateway.security.proof.fresh = false;
  try {
    expect(place(await browser.signIn('/api/login?link=1'))).toBe('/profile?link_error=proof_required');
  } finally {
    gateway.security.proof.fresh = true;
  }
});

it('starts linking from our own pages only', async () => {
  const browser = await phone('+27840000003');
  const begin = async (headers: Record<string, string>) =>
    (await browser.openPage('/api/login?link=1', { headers })).headers.get('location') ?? '';
  for (const headers of [
    {},
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', referer: `${gateway.origin}/profile` },
    { referer: 'https://evil.example/' },
    { referer: 'no address' },
  ] as Record<string, string>[]) {
    expect(await begin(headers)).toBe('/profile?link_error=signed_out');
  }
  expect(await begin({ 'sec-fetch-site': 'same-origin' })).toContain(providerUrl);
  // Headers of browsers without Sec-Fetch-Site, and of all browsers over plain HTTP.
  expect(await begin({ referer: `${gateway.origin}/profile` })).toContain(providerUrl);
});

it('prevents other sites from replacing the signed-in account', async () => {
  const browser = await phone('+27840000004');
  const begin = async () =>
    (
      await browser.openPage('/api/login?returnTo=/contacts', { headers: { 'sec-fetch-site': 'cross-site' } })
    ).headers.get('location');
  expect(await begin()).toBe('/contacts');
  browser.cookies.clear();
  expect(await begin()).toContain(providerUrl);
});

it('works behind a proxy that replaces the Host header', async () => {
  const location = await new Promise((resolve, reject) => {
    get(`${gateway.origin}/api/login`, { headers: { host: 'gateway.internal:8080' } }, (reply) => {
      reply.resume();
      resolve(reply.headers.location);
    }).on('error', reject);
  });
  expect(location).toContain(providerUrl);
});

it('ends both sessions on sign-out', async () => {
  const browser = new Browser();
  await browser.signIn('/api/login');
  const out = await browser.openPage('/api/logout', { headers: { referer: `${gateway.origin}/profile` } });
  const address = new URL(out.headers.get('location') ?? '');
  expect(address.origin).toBe(providerUrl);
  expect(address.searchParams.get('id_token_hint')).not.toBeNull();
  expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${gateway.origin}/`);
  expect(await browser.self()).toBeUndefined();
});

it('reports that the provider is down, and serves everything else', async () => {
  const port = await findFreePort();
  const alone = await startGateway({
    PORT: String(port),
    HOST: 'localhost',
    PUBLIC_URL: `http://localhost:${port}`,
    OIDC_ISSUER: `http://localhost:${await findFreePort()}/oidc`,
    OIDC_CLIENT_ID: 'nolo',
  });
  try {
    const { headers } = await new Browser().openPage(`${alone.origin}/api/login`);
    expect(headers.get('location')).toBe('/?sign_in_error=unavailable');
    // Services may not respond in time at first on a busy machine.
    const health = await eventually(async () => {
      const reply = await fetch(`${alone.origin}/healthz`);
      return reply.status === 200 ? ((await reply.json()) as unknown) : undefined;
    });
    expect(health).toMatchObject({ status: 'degraded', parts: { provider: { ok: false } }, missing: [] });
    // The gateway must be ready, or a cluster would route nothing to one that starts meanwhile.
    await eventually(async () => {
      const ready = await fetch(`${alone.metricsUrl}/readyz`);
      const { checks } = (await ready.json()) as { checks: Record<string, { ok: boolean }> };
      return ready.status === 200 && checks['provider']?.ok === false;
    });
  } finally {
    await alone.stop();
  }
});
