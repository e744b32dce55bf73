import type { Preferences } from '@nolo/api';
import { routes } from '@nolo/api';
import { isPreference, preferenceNames } from '@nolo/rules';
import type { PreferenceName, PreferenceValues } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import { ApiError, call } from '../api/httpClient.ts';
import { serverNow } from '../api/serverClock.ts';
import { createSharedItem } from '../device/sharedItem.ts';
import { preferencesKey } from './ownKeys.ts';

type Known = { readonly [Name in PreferenceName]?: { value: PreferenceValues[Name]; changedAt: string } };

/** What this device knows of how its person likes the app, and what of it the account has not been told yet. */
interface Kept {
  /** Whose it is; null until the account was heard of. */
  owner: string | null;
  known: Known;
  waiting: readonly PreferenceName[];
}

interface State extends Kept {
  /** The account was heard of in this visit, so that what it does not know of was never chosen. */
  met: boolean;
}

interface PreferencesOptions {
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  now: () => number;
  /** Tells the account; answers with all that it knows then. Rejects where it may be told another time. */
  tell: (chosen: Preferences) => Promise<Preferences>;
}

export interface AccountPreferences extends Pick<StoreApi<State>, 'getState' | 'subscribe'> {
  /** Takes in what another tab has stored. */
  refresh: () => void;
  /** What the account says when it is asked who is signed in. */
  meet: (owner: string, told: Preferences) => void;
  /** What was chosen on another device. */
  hear: (told: Preferences) => void;
  choose: <Name extends PreferenceName>(name: Name, value: PreferenceValues[Name]) => void;
  /** Tells the account what waits. */
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

/** What this tab knows and what another one has stored meanwhile: of each choice the later one, and whether it waits. */
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
      // A choice that one of the two tabs has told the account waits no more.
      if (isSame(name)) return own.waiting.includes(name) && stored.waiting.includes(name);
      return (later.includes(name) ? stored : own).waiting.includes(name);
    }),
  };
}

/** A newer server may know of more, and of other values. */
function understood(told: Preferences | Known): Known {
  const entries = preferenceNames.map((name) => [name, told[name]] as const);
  return Object.fromEntries(entries.filter(([name, one]) => one !== undefined && isPreference(name, one.value)));
}

/** The later choice stays. @param answered what the account was just told of, in whose words it then stands */
function merged({ known, waiting }: Kept, told: Known, answered: readonly PreferenceName[]): Omit<Kept, 'owner'> {
  const taken = preferenceNames.filter((name) => {
    const [own, theirs] = [known[name], told[name]];
    if (theirs === undefined) return false;
    if (own === undefined || answered.includes(name)) return true;
    const later = Date.parse(theirs.changedAt) - Date.parse(own.changedAt);
    return waiting.includes(name) ? later > 0 : later >= 0;
  });
  const news = Object.fromEntries(taken.map((name) => [name, told[name]]));
  return { known: { ...known, ...news }, waiting: waiting.filter((name) => !taken.includes(name)) };
}

/** How somebody likes the app, kept on this device and with their account: of two choices for one thing the later stays. */
export function createAccountPreferences({ storage, now, tell }: PreferencesOptions): AccountPreferences {
  const item = createSharedItem({ key: preferencesKey, storage, parse });
  const store = createStore<State>(() => ({ ...item.read(), met: false }));
  const keep = (change: Partial<State>): void => {
    store.setState(change);
    const { owner, known, waiting } = store.getState();
    item.change(() => ({ owner, known, waiting }));
  };
  /** Each change begins with what other tabs have chosen. */
  const refresh = (): void => {
    const state = store.getState();
    const next = joined(state, item.read());
    if (!same([next.known, next.waiting], [state.known, state.waiting])) store.setState(next);
  };
  let telling = false;

  const flush = async (): Promise<void> => {
    refresh();
    const { met, waiting, known, owner } = store.getState();
    if (telling || !met || waiting.length === 0) return;
    telling = true;
    try {
      const chosen = Object.fromEntries(waiting.map((name) => [name, known[name]])) as Preferences;
      const told = understood(await tell(chosen));
      refresh();
      const state = store.getState();
      if (state.owner !== owner) return;
      // What was chosen anew meanwhile waits on.
      const answered = waiting.filter((name) => state.known[name] === known[name]);
      const still = state.waiting.filter((name) => !answered.includes(name));
      keep(merged({ ...state, waiting: still }, told, answered));
    } catch {
      // It waits for another time.
      return;
    } finally {
      telling = false;
    }
    await flush();
  };

  return {
    getState: store.getState,
    subscribe: store.subscribe,
    refresh,
    meet(owner, told) {
      refresh();
      const kept = store.getState();
      const own = kept.owner === owner ? kept : nothing;
      keep({ owner, met: true, ...merged(own, understood(told), []) });
      void flush();
    },
    hear(told) {
      refresh();
      if (store.getState().owner !== null) keep(merged(store.getState(), understood(told), []));
    },
    choose(name, value) {
      refresh();
      const { owner, known, waiting } = store.getState();
      if (owner === null) return;
      // After whatever it takes the place of, also where this device's clock is behind.
      const before = Date.parse(known[name]?.changedAt ?? '') || 0;
      const changedAt = new Date(Math.max(now(), before + 1)).toISOString();
      const others = waiting.filter((one) => one !== name);
      keep({ known: { ...known, [name]: { value, changedAt } }, waiting: [...others, name] });
    },
    flush,
  };
}

/** Where a room keeps a choice by itself. */
interface Place<Value> {
  get: () => unknown;
  set: (value: Value) => void;
  subscribe: (changed: () => void) => () => void;
  /** What it is where nobody has chosen; that is told to nobody. */
  usual: unknown;
}

/** Keeps a room's choice in step with the account's, which is the stronger one where they meet. */
export function sharePreference<Name extends PreferenceName>(
  { getState, subscribe, choose }: AccountPreferences,
  name: Name,
  place: Place<PreferenceValues[Name]>,
): () => void {
  const known = () => getState().known[name]?.value as PreferenceValues[Name] | undefined;
  const give = (): void => {
    const value = place.get();
    if (same(value, known()) || (known() === undefined && same(value, place.usual))) return;
    if (isPreference(name, value)) choose(name, value as PreferenceValues[Name]);
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

async function tell(body: Preferences): Promise<Preferences> {
  try {
    return await call(routes.updatePreferences, { body });
  } catch (error) {
    // What an older server does not understand, or refuses, would wait without end; the device keeps it.
    if (error instanceof ApiError && !error.passing && error.status !== 401) return {};
    throw error;
  }
}

let own: AccountPreferences | undefined;

/** Those of whoever is signed in. */
export function accountPreferences(): AccountPreferences {
  if (own === undefined) {
    const made = createAccountPreferences({ storage: localStorage, now: serverNow, tell });
    addEventListener('storage', ({ key }) => {
      if (key === preferencesKey) made.refresh();
    });
    own = made;
  }
  return own;
}
