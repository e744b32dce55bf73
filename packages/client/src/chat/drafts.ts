import { createStore } from 'zustand/vanilla';
import { listDraftKeys, draftKeyPrefix, oldDraftsKey } from './draftKeys.ts';
import type { ListedStorage } from './draftKeys.ts';

/** Unsent text by conversation. It stays on this device until sign-out. */
interface DraftState {
  readonly drafts: Readonly<Record<string, string>>;
}

type DraftStorage = ListedStorage & Pick<Storage, 'getItem' | 'setItem'>;

export type DraftStore = ReturnType<typeof createDraftStore>;

/** Migrates drafts from previous releases, which stored all under one key, so that tabs overwrote each other. */
function moveOldDrafts(storage: DraftStorage, owner: string, keyOf: (conversationId: string) => string): void {
  const text = storage.getItem(oldDraftsKey);
  if (text === null) return;
  try {
    const old = JSON.parse(text) as { owner: string; drafts: Record<string, string> };
    for (const [id, draft] of Object.entries(old.owner === owner ? old.drafts : {})) {
      if (storage.getItem(keyOf(id)) === null) storage.setItem(keyOf(id), draft);
    }
  } catch {
    // Invalid content or full storage.
  }
  storage.removeItem(oldDraftsKey);
}

/**
 * Stores one account's drafts, each under its own key, so that tabs do not overwrite each other. Drafts of another
 * account on the same device are erased and never shown. `mayKeep` returns false after sign-out, so that a closing
 * composer does not write into erased storage.
 */
export function createDraftStore(owner: string, storage: DraftStorage, mayKeep: () => boolean = () => true) {
  const prefix = `${draftKeyPrefix}${owner}.`;
  const keyOf = (conversationId: string): string => prefix + conversationId;
  const read = (): Record<string, string> =>
    Object.fromEntries(
      listDraftKeys(storage).flatMap((key) => {
        const text = key.startsWith(prefix) ? storage.getItem(key) : null;
        return text === null ? [] : [[key.slice(prefix.length), text]];
      }),
    );
  for (const key of listDraftKeys(storage)) if (!key.startsWith(prefix)) storage.removeItem(key);
  moveOldDrafts(storage, owner, keyOf);
  const store = createStore<DraftState>(() => ({ drafts: read() }));
  return {
    ...store,
    /** Blank text deletes the draft. */
    set(conversationId: string, text: string): void {
      const { [conversationId]: known, ...others } = store.getState().drafts;
      const blank = text.trim() === '';
      if (blank ? known === undefined : known === text) return;
      store.setState({ drafts: blank ? others : { ...others, [conversationId]: text } });
      if (!mayKeep()) return;
      try {
        if (blank) storage.removeItem(keyOf(conversationId));
        else storage.setItem(keyOf(conversationId), text);
      } catch {
        // Full storage leaves the draft in memory, which suffices in most cases.
      }
    },
    /** Reloads after a change in another tab. @param key of the storage event, null if everything was cleared */
    refresh(key: string | null): void {
      if (key === null || key.startsWith(prefix)) store.setState({ drafts: read() });
    },
  };
}
