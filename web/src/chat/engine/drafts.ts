import { createStore } from 'zustand/vanilla';
import { draftStorageKey } from '../../session/ownKeys.ts';

/** Unsent text by conversation. It stays on this device and goes when the person signs out. */
interface DraftState {
  readonly drafts: Readonly<Record<string, string>>;
}

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface StoredDrafts {
  owner: string;
  drafts: Record<string, string>;
}

function read(storage: DraftStorage): StoredDrafts | null {
  try {
    return JSON.parse(storage.getItem(draftStorageKey) ?? 'null') as StoredDrafts | null;
  } catch {
    // Whatever another version or a person's hand left there is no draft of ours.
    return null;
  }
}

export type DraftStore = ReturnType<typeof createDraftStore>;

/**
 * The drafts of one account; another account's drafts on the same device are erased, never shown. `mayKeep` is false
 * once the person has left: a composer that is just going must not write into what was erased.
 */
export function createDraftStore(owner: string, storage: DraftStorage, mayKeep: () => boolean = () => true) {
  const stored = read(storage);
  const store = createStore<DraftState>(() => ({ drafts: stored?.owner === owner ? stored.drafts : {} }));
  if (stored !== null && stored.owner !== owner) storage.removeItem(draftStorageKey);
  return {
    ...store,
    /** Blank text is no draft. */
    set(conversationId: string, text: string): void {
      const { [conversationId]: known, ...others } = store.getState().drafts;
      const blank = text.trim() === '';
      if (blank ? known === undefined : known === text) return;
      const drafts = blank ? others : { ...others, [conversationId]: text };
      store.setState({ drafts });
      if (!mayKeep()) return;
      try {
        if (Object.keys(drafts).length === 0) storage.removeItem(draftStorageKey);
        else storage.setItem(draftStorageKey, JSON.stringify({ owner, drafts } satisfies StoredDrafts));
      } catch {
        // A full storage keeps the draft in memory, which is what is asked most of the time.
      }
    },
  };
}
