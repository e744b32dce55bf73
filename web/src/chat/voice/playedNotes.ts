import { createStore } from 'zustand/vanilla';
import { createSharedItem } from '../../device/sharedItem.ts';
import { playedNotesKey } from '../../session/ownKeys.ts';

type PlayedStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** Maximum ids stored. Notes beyond the latest appear as unplayed again. */
const mostKept = 1_000;

interface Kept {
  readonly owner: string;
  readonly ids: readonly string[];
}

/** Stores which voice notes the user has played on this device. Ignores data of other accounts. */
export function createPlayedNotes(owner: string, storage: PlayedStorage) {
  const item = createSharedItem<Kept>({
    key: playedNotesKey,
    storage,
    parse(stored) {
      const kept = stored as { owner?: unknown; ids?: unknown } | undefined;
      const ids = kept?.owner === owner && Array.isArray(kept.ids) ? kept.ids : [];
      return { owner, ids: ids.filter((id): id is string => typeof id === 'string') };
    },
  });
  const store = createStore<{ played: ReadonlySet<string> }>(() => ({ played: new Set(item.read().ids) }));
  return {
    ...store,
    mark(id: string): void {
      if (store.getState().played.has(id)) return;
      const { ids } = item.change((kept) => ({
        owner,
        ids: [...kept.ids.filter((one) => one !== id), id].slice(-mostKept),
      }));
      store.setState({ played: new Set(ids) });
    },
  };
}

type PlayedNotes = ReturnType<typeof createPlayedNotes>;

let own: { owner: string; notes: PlayedNotes } | undefined;

/** Returns the played notes of the signed-in user. */
export function playedNotesOf(owner: string): PlayedNotes {
  if (own?.owner !== owner) own = { owner, notes: createPlayedNotes(owner, localStorage) };
  return own.notes;
}
