/** @jest-environment jsdom */
import type { SocialPlatformState } from '@nolo/api';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { TestProviders } from '../testing/TestProviders.tsx';
import { PlatformPicker } from './PlatformPicker.tsx';

const originalFetch = globalThis.fetch;
beforeEach(() => {
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= ([first]) => first as AbortSignal;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
});

/** Makes every request fail. */
function refuse(): void {
  const body = { error: { code: 'unavailable', message: 'Unavailable' } };
  globalThis.fetch = jest.fn(async () => ({
    ok: false,
    status: 503,
    headers: new Headers(),
    text: async () => JSON.stringify(body),
    json: async () => body,
  })) as never;
}

function show(platforms: readonly SocialPlatformState[], chosen: SocialPlatformState['id'][] = []) {
  const onChoose = jest.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PlatformPicker platforms={platforms} chosen={chosen} onChoose={onChoose} />
    </QueryClientProvider>,
    { wrapper: TestProviders },
  );
  return onChoose;
}

const platform = (name: string, connected: boolean, offered = true): SocialPlatformState => ({
  id: name.toLowerCase() as SocialPlatformState['id'],
  name,
  connected,
  offered,
  connectBy: 'window',
  servers: [],
  accounts: [],
  limits: {
    text: 300,
    needsMedia: false,
    images: 4,
    imageTypes: [],
    imageBytes: 0,
    videos: 1,
    videoTypes: [],
    videoBytes: 0,
    altText: 0,
  },
});

test('connected platforms come first, and all others keep their order', () => {
  const platforms = [
    platform('Twitter', false),
    platform('Facebook', true),
    platform('LinkedIn', false),
    platform('Threads', false, false),
    platform('Bluesky', true),
  ];
  show(platforms);
  const names = screen
    .getAllByRole('listitem')
    .map((row) => within(row).getByText(/^(Twitter|Facebook|LinkedIn|Bluesky)$/));
  expect(names.map(({ textContent }) => textContent)).toEqual(['Facebook', 'Bluesky', 'Twitter', 'LinkedIn']);
});

test('the dialog that asks for an app password shows why connecting failed', async () => {
  refuse();
  show([{ ...platform('Bluesky', false), connectBy: 'password' }]);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Connect Bluesky' }));
  const dialog = screen.getByRole('dialog');
  await user.type(within(dialog).getByLabelText(/^Name/), 'ada.bsky.social');
  await user.type(within(dialog).getByLabelText(/^App password/), 'secret');
  await user.click(within(dialog).getByRole('button', { name: 'Connect' }));
  expect((await within(dialog).findByRole('alert')).textContent).toContain('Connection failed');
});

test('a platform that could not be disconnected stays selected, and the question shows the reason', async () => {
  refuse();
  const onChoose = show([platform('Bluesky', true)], ['bluesky']);
  const user = userEvent.setup();
  // The button's tooltip needs pointer events, which jsdom lacks.
  fireEvent.click(screen.getByRole('button', { name: 'Disconnect Bluesky' }));
  const question = screen.getByRole('alertdialog');
  await user.click(within(question).getByRole('button', { name: 'Disconnect' }));
  expect((await within(question).findByRole('alert')).textContent).toContain('Failed to disconnect Bluesky');
  expect(onChoose).not.toHaveBeenCalled();
});
