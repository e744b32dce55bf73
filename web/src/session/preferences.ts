import type { Preferences } from '@nolo/api';
import { routes } from '@nolo/api';
import { currentPreference, isValidPreference, preferenceNames } from '@nolo/rules';
import type { PreferenceName, PreferenceValues } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import { ApiError, call } from '../api/httpClient.ts';
import { serverNow } from '../api/serverClock.ts';
import { createCrossTabStorageItem } from '../device/crossTabStorageItem.ts';
import { preferencesKey } from './ownKeys.ts';

type Known = { readonly [Name in PreferenceName]?: { value: PreferenceValues[Name]; changedAt: string } };

/** User's preferences on this device, and those not yet sent to the account. */
interface Kept {
  /** Owner of the preferences. Null until the account is known. */
  owner: string | null;
  known: Known;
  waiting: readonly PreferenceName[];
}

interface State extends Kept {
  /** True once the account's preferences arrived in this session, so that missing ones were never chosen. */
  met: boolean;
}

interface PreferencesOptions {
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  now: () => number;
  /** Sends choices to the account. Resolves to all its preferences. Rejects if a retry may succeed. */
  saveToAccount: (chosen: Preferences) => Promise<Preferences>;
}

export interface AccountPreferenceStore extends Pick<StoreApi<State>, 'getState' | 'subscribe'> {
  /** Applies another tab's stored changes. */
  refresh: () => void;
  /** Applies the account's preferences from the session check. */
  meet: (owner: string, received: Preferences) => void;
  /** Applies a choice from another device. */
  receive: (received: Preferences) => void;
  choose: <Name extends PreferenceName>(name: Name, value: PreferenceValues[Name]) => void;
  /** Sends pending choices to the account. */
  flush: () => Promise<void>;
}

const nothing: Kept = { owner: null, known: {}, waiting: [] };

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function parse(stored: unknown): Kept {
  const kept = stored as Kept | undefined;
  if (typeof kept?.owner !== 'string') return nothing;
  const waiting = preferenceNames.filter((name) => kept.waiting.includes(name) && kept.known[name] !== undefined);
  return { owner: kept.owner, known: understood(kept.known), waiting };
}

/** Merges this tab's state with that stored by another one: the later of each choice, and whether it is pending. */
function joined(own: Kept, stored: Kept): Kept {
  if (stored.owner !== own.owner) return own;
  const later = preferenceNames.filter((name) => {
    const [ownAt, storedAt] = [own, stored].map(({ known }) => Date.parse(known[name]?.changedAt ?? '') || 0);
    return (storedAt ?? 0) > (ownAt ?? 0);
  });
  const news = Object.fromEntries(later.map((name) => [name, stored.known[name]]));
  const isSame = (name: PreferenceName): boolean => own.known[name]?.changedAt === stored.known[name]?.changedAt;
  return {
    owner: own.owner,
    known: { ...own.known, ...news },
    waiting: preferenceNames.filter((name) => {
      // A choice that either tab has sent is no longer pending.
      if (isSame(name)) return own.waiting.includes(name) && stored.waiting.includes(name);
      return (later.includes(name) ? stored : own).waiting.includes(name);
    }),
  };
}

/** Filters out unknown preferences and values of a newer server. */
function understood(received: Preferences | Known): Known {
  const entries = preferenceNames.flatMap((name) => {
    const one = received[name];
    if (one === undefined || !isValidPreference(name, one.value)) return [];
    return [[name, { ...one, value: currentPreference(name, one.value) }]];
  });
  return Object.fromEntries(entries) as Known;
}

/** Keeps the later of two choices. @param answered choices just sent, for which the account's response applies */
function merged({ known, waiting }: Kept, received: Known, answered: readonly PreferenceName[]): Omit<Kept, 'owner'> {
  const taken = preferenceNames.filter((name) => {
    const [own, theirs] = [known[name], received[name]];
    if (theirs === undefined) return false;
    if (own === undefined || answered.includes(name)) return true;
    const later = Date.parse(theirs.changedAt) - Date.parse(own.changedAt);
    return waiting.includes(name) ? later > 0 : later >= 0;
  });
  const news = Object.fromEntries(taken.map((name) => [name, received[name]]));
  return { known: { ...known, ...news }, waiting: waiting.filter((name) => !taken.includes(name)) };
}

/** Stores user preferences on this device and with the account. The later of two choices applies. */
export function createAccountPreferenceStore({
  storage,
  now,
  saveToAccount,
}: PreferencesOptions): AccountPreferenceStore {
  const item = createCrossTabStorageItem({ key: preferencesKey, storage, parse });
  const store = createStore<State>(() => ({ ...item.read(), met: false }));
  const keep = (change: Partial<State>): void => {
    store.setState(change);
    const { owner, known, waiting } = store.getState();
    item.change(() => ({ owner, known, waiting }));
  };
  /** Applies other tabs' choices before each change. */
  const refresh = (): void => {
    const state = store.getState();
    const next = joined(state, item.read());
    if (!same([next.known, next.waiting], [state.known, state.waiting])) store.setState(next);
  };
  let isSaving = false;

  const flush = async (): Promise<void> => {
    refresh();
    const { met, waiting, known, owner } = store.getState();
    if (isSaving || !met || waiting.length === 0) return;
    isSaving = true;
    try {
      const chosen = Object.fromEntries(waiting.map((name) => [name, known[name]])) as Preferences;
      const received = understood(await saveToAccount(chosen));
      refresh();
      const state = store.getState();
      if (state.owner !== owner) return;
      // Choices changed meanwhile stay pending.
      const answered = waiting.filter((name) => state.known[name] === known[name]);
      const still = state.waiting.filter((name) => !answered.includes(name));
      keep(merged({ ...state, waiting: still }, received, answered));
    } catch {
      // The choices stay pending.
      return;
    } finally {
      isSaving = false;
    }
    await flush();
  };

  return {
    getState: store.getState,
    subscribe: store.subscribe,
    refresh,
    meet(owner, received) {
      refresh();
      const kept = store.getState();
      const own = kept.owner === owner ? kept : nothing;
      keep({ owner, met: true, ...merged(own, understood(received), []) });
      void flush();
    },
    receive(received) {
      refresh();
      if (store.getState().owner !== null) keep(merged(store.getState(), understood(received), []));
    },
    choose(name, value) {
      refresh();
      const { owner, known, waiting } = store.getState();
      if (owner === null) return;
      // Later than the replaced choice, even if this device's clock is slow.
      const before = Date.parse(known[name]?.changedAt ?? '') || 0;
      const changedAt = new Date(Math.max(now(), before + 1)).toISOString();
      const others = waiting.filter((one) => one !== name);
      keep({ known: { ...known, [name]: { value, changedAt } }, waiting: [...others, name] });
    },
    flush,
  };
}

/** Store of a room's own choice. */
interface Place<Value> {
  get: () => unknown;
  set: (value: Value) => void;
  subscribe: (changed: () => void) => () => void;
  /** Default value, which is never sent. */
  defaultValue: unknown;
}

/** Synchronizes a room's choice with the account's, which takes precedence initially. */
export function syncPreference<Name extends PreferenceName>(
  { getState, subscribe, choose }: AccountPreferenceStore,
  name: Name,
  place: Place<PreferenceValues[Name]>,
): () => void {
  const known = () => getState().known[name]?.value as PreferenceValues[Name] | undefined;
  const give = (): void => {
    const value = place.get();
    if (same(value, known()) || (known() === undefined && same(value, place.defaultValue))) return;
    if (isValidPreference(name, value)) choose(name, value as PreferenceValues[Name]);
  };
  const meet = (): void => {
    const value = known();
    if (value === undefined) {
      if (getState().met) give();
    } else if (!same(value, place.get())) place.set(value);
  };
  meet();
  const stop = [subscribe(meet), place.subscribe(give)];
  return () => stop.forEach((one) => one());
}

async function saveToAccount(body: Preferences): Promise<Preferences> {
  try {
    return await call(routes.updatePreferences, { body });
  } catch (error) {
    // A choice that an older server does not understand or rejects would stay pending forever. It stays on the device.
    if (error instanceof ApiError && !error.passing && error.status !== 401) return {};
    throw error;
  }
}

let own: AccountPreferenceStore | undefined;

/** Returns the preferences of the signed-in user. */
export function getAccountPreferenceStore(): AccountPreferenceStore {
  if (own === undefined) {
    const made = createAccountPreferenceStore({ storage: localStorage, now: serverNow, saveToAccount });
    addEventListener('storage', ({ key }) => {
      if (key === preferencesKey) made.refresh();
    });
    own = made;
  }
  return own;
}
