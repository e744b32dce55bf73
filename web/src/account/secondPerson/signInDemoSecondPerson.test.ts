/** @jest-environment jsdom */
import { signInDemoSecondPerson } from './signInDemoSecondPerson.ts';

const withId = '01a21436-71f0-760c-ac8c-4733a2e9409f';
const requests: { path: string; body: unknown }[] = [];
let lastMessage: unknown;

beforeEach(() => {
  requests.length = 0;
  lastMessage = null;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
  const answers: Record<string, () => unknown> = {
    '/api/verification/verify': () => ({ user: { id: 'sam', profileComplete: false } }),
    '/api/profile': () => ({ id: 'sam', profileComplete: true }),
    '/api/conversations': () => ({ id: 'c1', lastMessage }),
  };
  globalThis.fetch = (async (path: string, init: { body: string }) => {
    requests.push({ path, body: JSON.parse(init.body) });
    const json = async () => answers[path]?.() ?? {};
    return { ok: true, status: 200, headers: new Headers(), json } as unknown as Response;
  }) as unknown as typeof fetch;
});

const go = () => signInDemoSecondPerson({ withId, number: '+12025550100', code: '424242', hello: 'Hello' });

test('the second person signs in by number and code, sets a name, and says hello', async () => {
  await expect(go()).resolves.toEqual({ user: { id: 'sam', profileComplete: true }, path: '/chat/c1' });
  expect(requests.map(({ path }) => path)).toEqual([
    '/api/verification/send',
    '/api/verification/verify',
    '/api/profile',
    '/api/contacts',
    '/api/conversations',
    '/api/messages',
  ]);
  expect(requests.at(-1)?.body).toMatchObject({ conversationId: 'c1', envelope: 'Hello' });
});

test('a greeting is not repeated if the two have talked before', async () => {
  lastMessage = { id: 'm1' };
  await go();
  expect(requests.some(({ path }) => path === '/api/messages')).toBe(false);
});
