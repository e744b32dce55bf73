import type { Preferences } from '@nolo/api';
import { createStore } from 'zustand/vanilla';
import { createAccountPreferenceStore, syncPreference } from './preferences.ts';

const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const dark = (seconds: number): Preferences => ({ theme: { value: 'dark', changedAt: at(seconds) } });
const light = (seconds: number): Preferences => ({ theme: { value: 'light', changedAt: at(seconds) } });

/** Sets up a device, and an account that accepts preferences unless unavailable. */
function device(storage = memoryStorage()) {
  const clock = { seconds: 100 };
  const account = { away: false, received: [] as Preferences[], answer: undefined as Preferences | undefined };
  const preferences = createAccountPreferenceStore({
    storage,
    now: () => clock.seconds * 1_000,
    async saveToAccount(chosen) {
      if (account.away) throw new Error('no network');
      account.received.push(chosen);
      return account.answer ?? chosen;
    },
  });
  const theme = createStore<{ theme: string }>(() => ({ theme: 'system' }));
  const share = () =>
    syncPreference(preferences, 'theme', {
      get: () => theme.getState().theme,
      set: (value) => theme.setState({ theme: value }),
      subscribe: theme.subscribe,
      defaultValue: 'system',
    });
  return { preferences, clock, account, theme, share, storage };
}

function memoryStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test('the account’s preferences are applied, and earlier device choices are sent to an account without any', async () => {
  const first = device();
  first.share();
  first.preferences.meet('ada', dark(50));
  expect(first.theme.getState().theme).toBe('dark');
  await first.preferences.flush();
  expect(first.account.received).toEqual([]);

  const second = device();
  second.theme.setState({ theme: 'light' });
  second.share();
  second.preferences.meet('ada', {});
  await second.preferences.flush();
  expect(second.account.received).toEqual([light(100)]);
});

test('preferences that nobody chose are not sent, and none before the account is known', async () => {
  const { preferences, theme, share, account } = device();
  share();
  theme.setState({ theme: 'dark' });
  await preferences.flush();
  theme.setState({ theme: 'system' });
  preferences.meet('ada', {});
  await preferences.flush();
  expect(account.received).toEqual([]);
});

test('an offline choice survives a restart and is sent later', async () => {
  const before = device();
  before.share();
  before.preferences.meet('ada', light(50));
  before.account.away = true;
  before.theme.setState({ theme: 'dark' });
  await before.preferences.flush();
  const after = device(before.storage);
  after.share();
  expect(after.theme.getState().theme).toBe('dark');
  // An older choice, as the account still has it, does not replace it.
  after.preferences.meet('ada', light(50));
  await after.preferences.flush();
  expect(after.account.received).toEqual([dark(100)]);
  expect(after.preferences.getState().waiting).toEqual([]);
});

test('the later of two choices wins: a pending one yields to a later one from elsewhere', async () => {
  const { preferences, theme, share, account } = device();
  share();
  preferences.meet('ada', {});
  account.away = true;
  theme.setState({ theme: 'dark' });
  preferences.receive(light(200));
  expect(theme.getState().theme).toBe('light');
  account.away = false;
  await preferences.flush();
  expect(account.received).toEqual([]);
});

test('the account’s answer takes precedence over the device’s clock, which may be fast or slow', async () => {
  const { preferences, theme, share, account, clock } = device();
  share();
  preferences.meet('ada', light(500));
  theme.setState({ theme: 'dark' });
  await preferences.flush();
  expect(account.received[0]!.theme!.changedAt > at(500)).toBe(true);

  clock.seconds = 9_000;
  account.answer = dark(600);
  theme.setState({ theme: 'system' });
  theme.setState({ theme: 'dark' });
  await preferences.flush();
  preferences.receive(light(700));
  expect(theme.getState().theme).toBe('light');
});

test('a second person on the device starts with their own preferences', async () => {
  const { preferences, theme, share, account } = device();
  share();
  preferences.meet('ada', dark(50));
  preferences.meet('ben', light(40));
  expect(theme.getState().theme).toBe('light');
  await preferences.flush();
  expect(account.received).toEqual([]);
});

test('unknown preferences from a newer server are ignored', () => {
  const { preferences, theme, share } = device();
  share();
  const received = { theme: { value: 'sepia', changedAt: at(1) }, pace: { value: 3, changedAt: at(1) } };
  preferences.meet('ada', received as unknown as Preferences);
  expect(theme.getState().theme).toBe('system');
  expect(preferences.getState().known).toEqual({});
});

test('two tabs keep each other’s choices, including those not yet sent to the account', async () => {
  const storage = memoryStorage();
  const first = device(storage);
  first.account.away = true;
  first.preferences.meet('ada', {});
  const second = device(storage);
  second.account.away = true;
  second.preferences.meet('ada', {});
  first.preferences.choose('theme', 'dark');
  second.preferences.choose('textSize', 'large');
  first.preferences.refresh();
  const next = device(storage);
  next.preferences.meet('ada', {});
  await next.preferences.flush();
  expect(Object.assign({}, ...next.account.received)).toMatchObject({
    theme: { value: 'dark' },
    textSize: { value: 'large' },
  });
  expect(first.preferences.getState().known.textSize?.value).toBe('large');

  // Choices already sent by another tab are not sent again.
  second.account.away = false;
  await second.preferences.flush();
  expect(second.account.received).toEqual([]);
});

test('the default text size of 0.3.0 is understood, and the new one is sent', async () => {
  const { preferences, account, clock } = device();
  const size = createStore<{ size: string }>(() => ({ size: 'large' }));
  syncPreference(preferences, 'textSize', {
    get: () => size.getState().size as 'large',
    set: (value) => size.setState({ size: value }),
    subscribe: size.subscribe,
    defaultValue: 'default',
  });
  preferences.meet('ada', { textSize: { value: 'usual', changedAt: at(50) } });
  expect(size.getState().size).toBe('default');
  clock.seconds = 110;
  size.setState({ size: 'larger' });
  clock.seconds = 120;
  size.setState({ size: 'default' });
  await preferences.flush();
  expect(account.received).toEqual([{ textSize: { value: 'default', changedAt: at(120) } }]);
  expect(size.getState().size).toBe('default');
});
