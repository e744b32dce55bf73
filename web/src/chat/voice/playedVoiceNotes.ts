import { createStore } from 'zustand/vanilla';
import { createCrossTabStorageItem } from '../../device/crossTabStorageItem.ts';
import { playedVoiceNotesKey } from '../../session/ownKeys.ts';

type PlayedStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** Maximum ids stored. Notes beyond the latest appear as unplayed again. */
const maxPlayedEntries = 1_000;

interface Kept {
  readonly owner: string;
  readonly ids: readonly string[];
}

/** Stores which voice notes the user has played on this device. Ignores data of other accounts. */
export function createPlayedVoiceNotes(owner: string, storage: PlayedStorage) {
  const item = createCrossTabStorageItem<Kept>({
    key: playedVoiceNotesKey,
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
    markPlayed(id: string): void {
      if (store.getState().played.has(id)) return;
      const { ids } = item.change((kept) => ({
        owner,
        ids: [...kept.ids.filter((one) => one !== id), id].slice(-maxPlayedEntries),
      }));
      store.setState({ played: new Set(ids) });
    },
  };
}

type PlayedVoiceNotes = ReturnType<typeof createPlayedVoiceNotes>;

let own: { owner: string; playedVoiceNotes: PlayedVoiceNotes } | undefined;

export function getPlayedVoiceNotes(owner: string): PlayedVoiceNotes {
  if (own?.owner !== owner) own = { owner, playedVoiceNotes: createPlayedVoiceNotes(owner, localStorage) };
  return own.playedVoiceNotes;
}
