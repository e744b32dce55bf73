/** @jest-environment jsdom */
import { arrive } from './arrive.ts';

const withId = '01a21436-71f0-760c-ac8c-4733a2e9409f';
const asked: { path: string; body: unknown }[] = [];
let lastMessage: unknown;

beforeEach(() => {
  asked.length = 0;
  lastMessage = null;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
  const answers: Record<string, () => unknown> = {
    '/api/verification/verify': () => ({ user: { id: 'sam', profileComplete: false } }),
    '/api/profile': () => ({ id: 'sam', profileComplete: true }),
    '/api/conversations': () => ({ id: 'c1', lastMessage }),
  };
  globalThis.fetch = (async (path: string, init: { body: string }) => {
    asked.push({ path, body: JSON.parse(init.body) });
    const json = async () => answers[path]?.() ?? {};
    return { ok: true, status: 200, headers: new Headers(), json } as unknown as Response;
  }) as unknown as typeof fetch;
});

const go = () => arrive({ withId, number: '+12025550100', code: '424242', hello: 'Hello' });

test('the second person signs in by number and code, takes a name, and says hello', async () => {
  await expect(go()).resolves.toEqual({ user: { id: 'sam', profileComplete: true }, path: '/chat/c1' });
  expect(asked.map(({ path }) => path)).toEqual([
    '/api/verification/send',
    '/api/verification/verify',
    '/api/profile',
    '/api/contacts',
    '/api/conversations',
    '/api/messages',
  ]);
  expect(asked.at(-1)?.body).toMatchObject({ conversationId: 'c1', content: 'Hello' });
});

test('where the two have talked before, nothing is said anew', async () => {
  lastMessage = { id: 'm1' };
  await go();
  expect(asked.some(({ path }) => path === '/api/messages')).toBe(false);
});
