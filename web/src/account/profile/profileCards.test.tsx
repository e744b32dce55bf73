/** @jest-environment jsdom */
import type { Self } from '@nolo/api';
import { jest } from '@jest/globals';
import { defaultPrivacySettings, privacyChoiceNames } from '@nolo/rules';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { configStore } from '../../session/config.ts';
import { sessionStore } from '../../session/session.ts';
import { themeStore } from '../../ui/theme.ts';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { AppearanceCard } from './AppearanceCard.tsx';
import { PrivacyCard } from './PrivacyCard.tsx';
import enProfile from '../../../locales/en/profile.json' with { type: 'json' };

const originalFetch = globalThis.fetch;
const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
const self = {
  id: 'me',
  displayName: 'Me',
  ...defaultPrivacySettings,
  keepArchived: false,
  relayCalls: null,
} as unknown as Self;
let requests: { path: string; method: string | undefined; body: unknown }[];
let refused: boolean;

beforeEach(() => {
  requests = [];
  refused = false;
  sessionStore.setState({ status: 'signedIn', user: self });
  globalThis.fetch = (async (path: string, { method, body }: RequestInit) => {
    const requestBody = typeof body === 'string' ? (JSON.parse(body) as object) : undefined;
    requests.push({ path, method, body: requestBody });
    const answer = refused ? { code: 'internal_error', message: '' } : { ...self, ...requestBody };
    return {
      ok: !refused,
      status: refused ? 500 : 200,
      statusText: '',
      headers: new Headers(),
      json: async () => answer,
      text: async () => JSON.stringify(answer),
    } as Response;
  }) as typeof fetch;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
  globalThis.fetch = originalFetch;
});

const show = (card: ReactNode) => render(card, { wrapper: testChat().wrapper });

globalThis.matchMedia ??= (query) =>
  ({
    matches: true,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  }) as unknown as MediaQueryList;

test('the theme can be light, dark or the system’s', async () => {
  show(<AppearanceCard />);
  for (const [label, theme] of [
    ['Dark', 'dark'],
    ['Light', 'light'],
    ['System', 'system'],
  ] as const) {
    await user.click(screen.getByRole('radio', { name: label }));
    expect(themeStore.getState().theme).toBe(theme);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: label }).checked).toBe(true);
  }
});

test('text has four sizes, which apply at once', async () => {
  show(<AppearanceCard />);
  await user.click(screen.getByRole('radio', { name: 'Largest' }));
  expect(document.documentElement.dataset.text).toBe('largest');
  await user.click(screen.getByRole('radio', { name: 'Default' }));
  expect(document.documentElement.dataset.text).toBeUndefined();
});

test('being found by name changes at once, and is reverted if the server refuses', async () => {
  show(<PrivacyCard />);
  const discoverable = () => screen.getByRole('switch', { name: /Let people find you by name/i });
  await user.click(discoverable());
  expect(discoverable().getAttribute('aria-checked')).toBe('true');
  await waitFor(() =>
    expect(requests).toEqual([{ path: '/api/profile/privacy', method: 'PUT', body: { discoverable: true } }]),
  );
  refused = true;
  await user.click(discoverable());
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(requests[1]?.body).toEqual({ discoverable: false });
  await waitFor(() => expect(discoverable().getAttribute('aria-checked')).toBe('true'));
});

test('each privacy choice has a control, except those about what the installation lacks', () => {
  show(<PrivacyCard />);
  const shown = privacyChoiceNames.filter((name) => screen.queryAllByText(enProfile.privacyChoices[name].title)[0]);
  const missing = ['callsFrom', 'groupsFrom', 'transcribeVoiceNotes', 'relayCalls'];
  expect(shown).toEqual(privacyChoiceNames.filter((name) => !missing.includes(name)));
});

test('the number of days the installation keeps messages is shown if it is limited', () => {
  show(<PrivacyCard />);
  expect(screen.queryByText(/keeps messages/)).toBeNull();
  act(() =>
    configStore.setState({
      config: { demoMode: false, version: '', limits: {}, features: {} as never, messagesKeptDays: 30 },
    }),
  );
  expect(screen.getByText(/keeps messages for 30 days/)).toBeTruthy();
});

test('access to chats and to the picture is chosen separately', async () => {
  show(<PrivacyCard />);
  const choose = async (title: string, choice: string) =>
    user.click(within(screen.getByRole('group', { name: title })).getByRole('radio', { name: choice }));
  await choose(enProfile.privacyChoices.messagesFrom.title, 'Contacts');
  await waitFor(() => expect(requests).toHaveLength(1));
  await choose(enProfile.privacyChoices.pictureVisibility.title, 'Nobody');
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(requests.map(({ body }) => body)).toEqual([{ messagesFrom: 'contacts' }, { pictureVisibility: 'nobody' }]);
});
