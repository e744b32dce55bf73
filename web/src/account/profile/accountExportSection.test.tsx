/** @jest-environment jsdom */
import type { AccountExport } from '@nolo/api';
import { jest } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { proofStore } from '../../api/proof.ts';
import { toasts } from '../../ui/toasts.ts';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { AccountExportSection } from './AccountExportSection.tsx';
import enProfile from '../../../locales/en/profile.json' with { type: 'json' };

const words = enProfile.archive;
const originalFetch = globalThis.fetch;
const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
const none: AccountExport = { state: 'none', step: null, percent: 0, size: null, startedAt: null, expiresAt: null };
const running: AccountExport = { ...none, state: 'running', step: 'messages', percent: 12 };
let archive: AccountExport;
let requests: string[];
let refused: boolean;
let proven: boolean;

beforeEach(() => {
  requests = [];
  refused = false;
  proven = true;
  globalThis.fetch = (async (path: string, { method = 'GET', body }: RequestInit) => {
    requests.push(`${method} ${path} ${typeof body === 'string' ? body : ''}`.trim());
    const unproven = path === '/api/account/export/file' && !proven;
    const failing = unproven || (refused && method !== 'GET');
    if (!failing && method === 'POST') archive = running;
    if (!failing && method === 'DELETE') archive = none;
    const answer = failing ? { code: unproven ? 'proof_required' : 'internal_error', message: '' } : archive;
    return {
      ok: !failing,
      status: unproven ? 403 : failing ? 500 : method === 'DELETE' ? 204 : 200,
      statusText: '',
      headers: new Headers(),
      json: async () => answer,
      arrayBuffer: async () => new ArrayBuffer(1),
      text: async () => (method === 'DELETE' && !failing ? '' : JSON.stringify(answer)),
    } as Response;
  }) as typeof fetch;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
});

const show = (state: AccountExport) => {
  archive = state;
  render(<AccountExportSection />, { wrapper: testChat().wrapper });
};

test('an archive is requested, shows its progress, and can be cancelled', async () => {
  show(none);
  await user.click(await screen.findByRole('button', { name: enProfile.export }));
  const bar = await screen.findByRole('progressbar', { name: words.running });
  expect(bar.getAttribute('aria-valuenow')).toBe('12');
  expect(screen.getByText(/Messages · 12/)).toBeTruthy();
  expect(requests).toContain('POST /api/account/export {"language":"en"}');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('button', { name: enProfile.export })).toBeTruthy();
  expect(requests).toContain('DELETE /api/account/export');
});

describe('an archive that is ready', () => {
  const expiresAt = '2026-11-27T10:00:00.000Z';
  const ready: AccountExport = { ...none, state: 'ready', percent: 100, size: 2_500_000, expiresAt };
  /** File names that the browser was asked to download. */
  let downloaded: (string | null)[];
  beforeEach(() => {
    downloaded = [];
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      downloaded.push(this.getAttribute('href'));
    });
  });
  afterEach(() => jest.restoreAllMocks());
  const press = async () => await user.click(await screen.findByRole('button', { name: words.download }));

  test('shows its size, and is downloaded', async () => {
    show(ready);
    await press();
    await waitFor(() => expect(downloaded).toEqual(['/api/account/export/file']));
    expect(screen.getByText(/2\.5 MB/)).toBeTruthy();
  });

  test('asks for confirmation without recent proof, and is downloaded then', async () => {
    proven = false;
    show(ready);
    await press();
    await waitFor(() => expect(proofStore.getState().answer).not.toBeNull());
    expect(downloaded).toEqual([]);
    proven = true;
    proofStore.getState().settle(true);
    await waitFor(() => expect(downloaded).toEqual(['/api/account/export/file']));
  });

  test('stays if the person does not confirm', async () => {
    proven = false;
    show(ready);
    await press();
    await waitFor(() => expect(proofStore.getState().answer).not.toBeNull());
    proofStore.getState().settle(false);
    const button = screen.getByRole('button', { name: words.download });
    await waitFor(() => expect(button.getAttribute('aria-busy')).not.toBe('true'));
    expect([downloaded, toasts.getState().toasts]).toEqual([[], []]);
  });
});

test('a failed archive is reported, and so is a refused start', async () => {
  show({ ...none, state: 'failed' });
  expect(await screen.findByText(words.failed)).toBeTruthy();
  refused = true;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(toasts.getState().toasts.map(({ title }) => title)).toContain(words.startFailed));
});
