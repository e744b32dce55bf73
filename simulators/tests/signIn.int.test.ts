import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as client from 'openid-client';
import { clientSecret, postLogoutUri, redirectUri, startSimulators, TestVisitor } from './startSimulators.ts';

let simulators: Awaited<ReturnType<typeof startSimulators>>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nolo-simulators-'));
  simulators = await startSimulators({ SIMULATORS_DIR: folder });
});

afterAll(async () => {
  await simulators.stop();
  await rm(folder, { recursive: true, force: true });
});

const discover = (secret = clientSecret) =>
  client.discovery(new URL(`${simulators.url}/oidc`), 'nolo', secret, undefined, {
    execute: [client.allowInsecureRequests],
  });

async function begin(parameters: Record<string, string> = {}) {
  const config = await discover();
  const verifier = client.randomPKCECodeVerifier();
  const expected = {
    pkceCodeVerifier: verifier,
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: expected.expectedState,
    nonce: expected.expectedNonce,
    ...parameters,
  });
  return { config, url, expected };
}

async function signIn(visitor: TestVisitor, fields: Record<string, string>, parameters: Record<string, string> = {}) {
  const { config, url, expected } = await begin(parameters);
  const form = await visitor.follow(url, simulators.url);
  const back = await visitor.submit(form.url, simulators.url, fields);
  const tokens = await client.authorizationCodeGrant(config, back.url, expected);
  return { config, back, expected, tokens, claims: tokens.claims()! };
}

const typed = (name: string, email: string) => ({ name, email, action: 'continue' });

test('someone who types a name and an address signs in with code and PKCE', async () => {
  const { config, tokens, claims } = await signIn(new TestVisitor(), typed('Mary Ann Evans', 'Mary@Example.com'));
  expect(claims).toMatchObject({
    iss: `${simulators.url}/oidc`,
    email: 'mary@example.com',
    email_verified: true,
    given_name: 'Mary',
    family_name: 'Ann Evans',
    name: 'Mary Ann Evans',
  });
  await expect(client.fetchUserInfo(config, tokens.access_token, claims.sub)).resolves.toMatchObject({
    email: 'mary@example.com',
  });
});

test('the subject follows the email address', async () => {
  const first = await signIn(new TestVisitor(), typed('One', 'same@example.com'));
  const second = await signIn(new TestVisitor(), typed('Two', 'SAME@example.com'));
  const other = await signIn(new TestVisitor(), typed('One', 'other@example.com'));
  expect(second.claims.sub).toBe(first.claims.sub);
  expect(other.claims.sub).not.toBe(first.claims.sub);
});

test('an example person signs in with one click, and the page states what it is', async () => {
  const visitor = new TestVisitor();
  const { config, url, expected } = await begin();
  const form = await visitor.follow(url, simulators.url);
  const markup = await form.response!.text();
  expect(markup).toContain('Simulator');
  expect(markup).not.toMatch(/<script|style=|https?:/);
  expect(form.response!.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(form.response!.headers.get('content-security-policy')).toContain("form-action 'self' http://localhost:8080");
  const person = /name="person" value="([0-9a-f]+)"/.exec(markup)![1]!;
  const back = await visitor.submit(form.url, simulators.url, { person });
  const tokens = await client.authorizationCodeGrant(config, back.url, expected);
  expect(tokens.claims()).toMatchObject({ sub: person, email: 'ada@example.com' });
});

test('a second sign-in is silent unless another account is requested', async () => {
  const visitor = new TestVisitor();
  const first = await signIn(visitor, typed('Silent', 'silent@example.com'));
  const secondSignIn = await begin();
  const back = await visitor.follow(secondSignIn.url, simulators.url);
  const tokens = await client.authorizationCodeGrant(secondSignIn.config, back.url, secondSignIn.expected);
  expect(tokens.claims()!.sub).toBe(first.claims.sub);
  const other = await signIn(visitor, typed('Other', 'another@example.com'), { prompt: 'select_account' });
  expect(other.claims.email).toBe('another@example.com');
});

test('errors appear next to their field, and typed markup stays text', async () => {
  const visitor = new TestVisitor();
  const { url } = await begin();
  const form = await visitor.follow(url, simulators.url);
  const answer = await visitor.submit(form.url, simulators.url, typed('"><script>alert(1)</script>', 'nobody'));
  expect(answer.response!.status).toBe(422);
  const markup = await answer.response!.text();
  expect(markup).toContain('Please enter an email address, such as ada@example.com.');
  expect(markup).toContain('aria-describedby="email-error"');
  expect(markup).not.toContain('<script>');
});

test('Cancel returns access_denied', async () => {
  const visitor = new TestVisitor();
  const { config, url, expected } = await begin();
  const form = await visitor.follow(url, simulators.url);
  const back = await visitor.submit(form.url, simulators.url, { action: 'cancel' });
  expect(back.url.origin + back.url.pathname).toBe(redirectUri);
  expect(back.url.searchParams.get('error')).toBe('access_denied');
  await expect(client.authorizationCodeGrant(config, back.url, expected)).rejects.toMatchObject({
    error: 'access_denied',
  });
});

test('an unknown redirect URI and a request without PKCE are refused', async () => {
  const strange = await begin({ redirect_uri: 'http://localhost:9999/steal' });
  const answer = await new TestVisitor().follow(strange.url, simulators.url);
  expect(answer.response!.status).toBe(400);
  await expect(answer.response!.text()).resolves.toContain('redirect_uri');
  const plain = await begin();
  for (const name of ['code_challenge', 'code_challenge_method']) plain.url.searchParams.delete(name);
  const back = await new TestVisitor().follow(plain.url, simulators.url);
  expect(back.url.searchParams.get('error')).toBe('invalid_request');
});

test('a code works once, and a second attempt revokes its tokens', async () => {
  const { config, back, expected, tokens, claims } = await signIn(
    new TestVisitor(),
    typed('Reuse', 'reuse@example.com'),
  );
  await expect(client.authorizationCodeGrant(config, back.url, expected)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  await expect(client.fetchUserInfo(config, tokens.access_token, claims.sub)).rejects.toThrow();
});

test('a wrong verifier and a wrong secret get no tokens', async () => {
  const { config, url, expected } = await begin();
  const visitor = new TestVisitor();
  const form = await visitor.follow(url, simulators.url);
  const back = await visitor.submit(form.url, simulators.url, typed('Wrong', 'wrong@example.com'));
  const stranger = await discover('not-the-secret-at-all');
  await expect(client.authorizationCodeGrant(stranger, back.url, expected)).rejects.toMatchObject({
    error: 'invalid_client',
  });
  await expect(
    client.authorizationCodeGrant(config, back.url, { ...expected, pkceCodeVerifier: client.randomPKCECodeVerifier() }),
  ).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('signing out ends the session and returns to the client', async () => {
  const visitor = new TestVisitor();
  const { config, tokens } = await signIn(visitor, typed('Leaving', 'leaving@example.com'));
  const end = client.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token!,
    post_logout_redirect_uri: postLogoutUri,
    state: 'bye',
  });
  const signOutPage = await visitor.follow(end, simulators.url);
  const markup = await signOutPage.response!.text();
  expect(markup).toContain('/assets/confirm.js');
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(markup)![1]!;
  const action = /action="([^"]+)"/.exec(markup)![1]!;
  const back = await visitor.submit(action, simulators.url, { xsrf, logout: 'yes' });
  expect(back.url.href).toBe(`${postLogoutUri}?state=bye`);
  const secondSignIn = await begin();
  const form = await visitor.follow(secondSignIn.url, simulators.url);
  expect(form.url.pathname).toMatch(/^\/sign-in\//);
});

test('signing out without proof of the client asks first, and unknown redirect URIs are refused', async () => {
  const visitor = new TestVisitor();
  const { config } = await signIn(visitor, typed('Staying', 'staying@example.com'));
  const signOutPage = await visitor.open(
    client.buildEndSessionUrl(config, { post_logout_redirect_uri: postLogoutUri }),
  );
  const markup = await signOutPage.text();
  expect(markup).toContain('Log out?');
  expect(markup).not.toContain('<script');
  const strange = await visitor.open(
    client.buildEndSessionUrl(config, { post_logout_redirect_uri: 'https://evil.example/' }),
  );
  expect(strange.status).toBe(400);
});

test('an unknown or foreign sign-in page shows an error', async () => {
  const answer = await new TestVisitor().open(`${simulators.url}/sign-in/unknown`);
  expect(answer.status).toBe(400);
  await expect(answer.text()).resolves.toContain('This sign-in cannot continue');
});

test('keys survive a restart and are readable only by the owner', async () => {
  const keysOf = async (url: string) => (await fetch(`${url}/oidc/jwks`)).json();
  const secondSignIn = await startSimulators({ SIMULATORS_DIR: folder });
  try {
    await expect(keysOf(secondSignIn.url)).resolves.toEqual(await keysOf(simulators.url));
    expect((await stat(join(folder, 'oidcKeys.json'))).mode & 0o777).toBe(0o600);
  } finally {
    await secondSignIn.stop();
  }
});
