import { createStore } from 'zustand/vanilla';
import { playedNotesKey } from '../../session/ownKeys.ts';

type PlayedStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** The marks of the latest are kept; what is older counts as played. */
const mostKept = 1_000;

function read(storage: PlayedStorage, owner: string): readonly string[] {
  try {
    const kept = JSON.parse(storage.getItem(playedNotesKey) ?? 'null') as { owner?: unknown; ids?: unknown } | null;
    if (kept?.owner !== owner || !Array.isArray(kept.ids)) return [];
    return kept.ids.filter((id): id is string => typeof id === 'string');
  } catch {
    // Whatever another version or a person's hand left there.
    return [];
  }
}

/** Which voice notes one has played on this device; another account's marks are not ours. */
export function createPlayedNotes(owner: string, storage: PlayedStorage) {
  const store = createStore<{ played: ReadonlySet<string> }>(() => ({ played: new Set(read(storage, owner)) }));
  return {
    ...store,
    mark(id: string): void {
      const { played } = store.getState();
      if (played.has(id)) return;
      const ids = [...played, id].slice(-mostKept);
      store.setState({ played: new Set(ids) });
      try {
        storage.setItem(playedNotesKey, JSON.stringify({ owner, ids }));
      } catch {
        // A full storage forgets it with the page.
      }
    },
  };
}

type PlayedNotes = ReturnType<typeof createPlayedNotes>;

let own: { owner: string; notes: PlayedNotes } | undefined;

/** The marks of whoever is signed in. */
export function playedNotesOf(owner: string): PlayedNotes {
  if (own?.owner !== owner) own = { owner, notes: createPlayedNotes(owner, localStorage) };
  return own.notes;
}
