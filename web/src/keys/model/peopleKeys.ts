import type { PersonKeys } from '@nolo/client/keys/types';
import { limits } from '@nolo/rules';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { keysStore, type KeysStoreState } from './keysStore.ts';

/** Known keys of people by user id, as far as screens asked for them. */
export type PeopleKeys = Readonly<Record<string, PersonKeys>>;

/** Milliseconds in which requests of one screen are collected into one call. */
const gatherMs = 50;

/**
 * Looks up keys of people who are on the screen, once for each version of what is known of people.
 *
 * @returns a store of what is known, and a function that asks for a person and returns a function that no longer does
 */
export function createPeopleKeys(source: StoreApi<KeysStoreState>): {
  store: StoreApi<PeopleKeys>;
  want(userId: string): () => void;
} {
  const store = createStore<PeopleKeys>(() => ({}));
  const wanted = new Map<string, number>();
  const stale = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const load = async (): Promise<void> => {
    timer = undefined;
    const { keys, phase } = source.getState();
    const ids = [...stale].filter((id) => wanted.has(id));
    if (keys === null || phase.name !== 'ready' || ids.length === 0) return;
    for (const id of ids) stale.delete(id);
    // One request after another, between which the keys do what the user asks for.
    for (let at = 0; at < ids.length; at += limits.keyLookupAccounts) {
      const part = ids.slice(at, at + limits.keyLookupAccounts);
      try {
        const found = await keys.lookUp(part);
        store.setState(Object.fromEntries(found.map((one) => [one.userId, one])));
      } catch {
        // Offline: asked again with the next change.
        for (const id of part) stale.add(id);
      }
    }
  };
  const loadSoon = (): void => {
    timer ??= setTimeout(() => void load(), gatherMs);
  };
  source.subscribe(({ state, phase, keys }, before) => {
    if (keys === null && before.keys !== null) return store.setState({}, true);
    const isNews = state?.peopleVersion !== before.state?.peopleVersion;
    if (!isNews && phase.name === before.phase.name) return;
    for (const id of wanted.keys()) stale.add(id);
    if (stale.size > 0) loadSoon();
  });

  return {
    store,
    want(userId) {
      wanted.set(userId, (wanted.get(userId) ?? 0) + 1);
      stale.add(userId);
      loadSoon();
      return () => {
        const left = (wanted.get(userId) ?? 1) - 1;
        if (left === 0) wanted.delete(userId);
        else wanted.set(userId, left);
      };
    },
  };
}

/** Keys of people on the screens of this tab. */
export const peopleKeys = createPeopleKeys(keysStore);
