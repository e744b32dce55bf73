/** @jest-environment jsdom */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { I18nextProvider } from 'react-i18next';
import { createI18n } from '../../i18n/i18n.ts';
import { featureStore } from '../../session/features.ts';
import { UsageCard } from './UsageCard.tsx';

let answers: Record<string, unknown>;

beforeEach(() => {
  answers = {
    '/api/storage': { used: 1_610_612_736, limit: 2_147_483_648 },
    '/api/transcription': { month: '2026-11', usedSeconds: 930, limitSeconds: 1_800 },
  };
  globalThis.fetch = (async (path: string) => {
    if (answers[path] === undefined) throw new TypeError('Failed to fetch');
    return { ok: true, status: 200, headers: new Headers(), json: async () => answers[path] } as Response;
  }) as typeof fetch;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
});
afterEach(cleanup);

function show(features: Record<string, boolean>): void {
  featureStore.getState().setFeatures(features);
  const i18n = createI18n();
  render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <UsageCard />
      </QueryClientProvider>
    </I18nextProvider>,
  );
}

test('bars show what is stored and transcribed, without a word about plans', async () => {
  show({ transcription: true });
  const storage = await screen.findByRole('meter', { name: 'Storage' });
  expect(storage.getAttribute('aria-valuetext')).toBe('1.5 GB of 2 GB');
  const transcription = await screen.findByRole('meter', { name: 'Transcription' });
  expect(transcription.getAttribute('aria-valuetext')).toBe('15.5 of 30 minutes this month');
  expect(screen.queryByText(/plan/i)).toBeNull();
});

test('usage without a limit is shown without a bar', async () => {
  answers = {
    '/api/storage': { used: 1_610_612_736, limit: null },
    '/api/transcription': { month: '2026-11', usedSeconds: 960, limitSeconds: null },
  };
  show({ transcription: true });
  await screen.findByText('1.5 GB');
  await screen.findByText('16 minutes this month');
  expect(screen.queryByRole('meter')).toBeNull();
});

test('transcription is hidden without an engine, and a failure offers a retry', async () => {
  const user = userEvent.setup();
  const { '/api/storage': storage } = answers;
  answers = {};
  show({ transcription: false });
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load your usage');
  answers = { '/api/storage': storage };
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('meter', { name: 'Storage' });
  expect(screen.queryByRole('meter', { name: 'Transcription' })).toBeNull();
});
