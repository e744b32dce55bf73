/** @jest-environment jsdom */
import type { Self } from '@nolo/api';
import { jest } from '@jest/globals';
import { sessionStore } from './session.ts';
import { setSessionMarker } from './sessionMarker.ts';
import { checkSession, discardPendingChecks } from './checkSession.ts';

const self = (id: string, displayName = id): Self => ({ id, displayName }) as Self;
const remembered = () => Promise.resolve(self('ada', 'Ada as the device remembers her'));
const answer = (status: number, body?: unknown) => ({
  status,
  ok: status === 200,
  headers: new Headers(),
  json: () => Promise.resolve(body),
});

let fetchMock: ReturnType<typeof jest.fn<() => Promise<unknown>>>;

beforeEach(() => {
  localStorage.clear();
  setSessionMarker(localStorage);
  sessionStore.setState({ status: 'unknown', user: null, confirmed: false, ended: false });
  fetchMock = jest.fn<() => Promise<unknown>>();
  globalThis.fetch = fetchMock as unknown as typeof fetch;
  AbortSignal.timeout ??= () => new AbortController().signal;
});

test('the app opens with the remembered person before the server answers, and then follows its answer', async () => {
  let resolveReply: (reply: unknown) => void = () => {};
  fetchMock.mockReturnValue(new Promise((resolve) => (resolveReply = resolve)));
  const checked = checkSession(remembered());
  await Promise.resolve();
  await Promise.resolve();
  expect(sessionStore.getState()).toMatchObject({ status: 'signedIn', confirmed: false });
  resolveReply(answer(200, self('ada', 'Ada')));
  await checked;
  expect(sessionStore.getState()).toMatchObject({ status: 'signedIn', confirmed: true, user: { displayName: 'Ada' } });
});

test('the app stays open without an answer; with nobody remembered it reports the unreachable server', async () => {
  fetchMock.mockRejectedValue(new TypeError('Failed to fetch'));
  await checkSession(remembered());
  expect(sessionStore.getState()).toMatchObject({ status: 'signedIn', confirmed: false, ended: false });

  sessionStore.setState({ status: 'unknown', user: null });
  await checkSession();
  expect(sessionStore.getState().status).toBe('unreachable');
});

test('a request needs a session marker; either marker is enough', async () => {
  localStorage.clear();
  await checkSession();
  expect(sessionStore.getState().status).toBe('signedOut');
  expect(fetchMock).not.toHaveBeenCalled();

  // The provider's sign-in ends with a redirect, so only the gateway's readable cookie reveals it.
  fetchMock.mockResolvedValue(answer(200, self('ada')));
  document.cookie = 'nolo_signed_in=1';
  await checkSession();
  expect(sessionStore.getState()).toMatchObject({ status: 'signedIn', confirmed: true });
  document.cookie = 'nolo_signed_in=; max-age=0';
});

test('an ended session closes what was opened from the device, and otherwise is simply signed out', async () => {
  fetchMock.mockResolvedValue(answer(401));
  await checkSession(remembered());
  expect(sessionStore.getState()).toMatchObject({ status: 'signedIn', ended: true });

  sessionStore.setState({ status: 'unknown', user: null, ended: false });
  await checkSession();
  expect(sessionStore.getState()).toMatchObject({ status: 'signedOut', ended: false });
  expect(localStorage.length).toBe(0);
});

test('an answer that arrives after another tab signed out brings nobody back', async () => {
  let resolveReply: (reply: unknown) => void = () => {};
  fetchMock.mockReturnValue(new Promise((resolve) => (resolveReply = resolve)));
  const checked = checkSession();
  discardPendingChecks();
  localStorage.clear();
  sessionStore.getState().signedOut();
  resolveReply(answer(200, self('ada')));
  await checked;
  expect(sessionStore.getState()).toMatchObject({ status: 'signedOut', user: null });
  expect(localStorage.length).toBe(0);
});
