/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { callRequestStore } from '../calling/callRequests.ts';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { GroupCallDialog } from './GroupCallDialog.tsx';

const originalFetch = globalThis.fetch;
const requests: string[] = [];

beforeEach(() => {
  requests.length = 0;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= ([first]) => first as AbortSignal;
  globalThis.fetch = jest.fn((path: unknown, init?: RequestInit) => {
    requests.push(`${init?.method ?? 'GET'} ${String(path)}`);
    return Promise.resolve({
      ok: true,
      status: 200,
      headers: new Headers(),
      text: () => Promise.resolve('{"meeting":null}'),
      json: () => Promise.resolve({ meeting: null }),
    } as Response);
  }) as typeof fetch;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
  callRequestStore.setState({ wanted: null });
});

test('viewing who is in a group call changes nothing on the server', async () => {
  const onClose = jest.fn();
  render(<GroupCallDialog id="g1" name="Hikers" onClose={onClose} />, { wrapper: testChat().wrapper });
  await screen.findByText('Nobody is in the call yet.');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalled();
  expect(requests.length).toBeGreaterThan(0);
  expect(requests.filter((one) => !one.startsWith('GET '))).toEqual([]);
  expect(callRequestStore.getState().wanted).toBeNull();
});

test('the dialog starts the call with one press', async () => {
  const { engine, wrapper } = testChat();
  engine.store.setState({ connection: 'open' });
  render(<GroupCallDialog id="g1" name="Hikers" onClose={() => {}} />, { wrapper });
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Start video' }));
  expect(callRequestStore.getState().wanted).toEqual({ target: { groupId: 'g1' }, type: 'video' });
});
