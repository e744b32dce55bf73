import { createStore } from 'zustand/vanilla';
import { draftKeys, draftKeyPrefix, oldDraftsKey } from '../../session/ownKeys.ts';
import type { ListedStorage } from '../../session/ownKeys.ts';

/** Unsent text by conversation. It stays on this device and goes when the person signs out. */
interface DraftState {
  readonly drafts: Readonly<Record<string, string>>;
}

type DraftStorage = ListedStorage & Pick<Storage, 'getItem' | 'setItem'>;

export type DraftStore = ReturnType<typeof createDraftStore>;

/** Earlier versions kept all drafts under one key, so that two tabs overwrote each other's. */
function moveOldDrafts(storage: DraftStorage, owner: string, keyOf: (conversationId: string) => string): void {
  const text = storage.getItem(oldDraftsKey);
  if (text === null) return;
  try {
    const old = JSON.parse(text) as { owner: string; drafts: Record<string, string> };
    for (const [id, draft] of Object.entries(old.owner === owner ? old.drafts : {})) {
      if (storage.getItem(keyOf(id)) === null) storage.setItem(keyOf(id), draft);
    }
  } catch {
    // Text that is not ours, or a full storage.
  }
  storage.removeItem(oldDraftsKey);
}

/**
 * The drafts of one account, each under a key of its own, so that no tab writes another's; another account's drafts on the
 * same device are erased, never shown. `mayKeep` is false once the person has left: a composer that is just going must not
 * write into what was erased.
 */
export function createDraftStore(owner: string, storage: DraftStorage, mayKeep: () => boolean = () => true) {
  const prefix = `${draftKeyPrefix}${owner}.`;
  const keyOf = (conversationId: string): string => prefix + conversationId;
  const read = (): Record<string, string> =>
    Object.fromEntries(
      draftKeys(storage).flatMap((key) => {
        const text = key.startsWith(prefix) ? storage.getItem(key) : null;
        return text === null ? [] : [[key.slice(prefix.length), text]];
      }),
    );
  for (const key of draftKeys(storage)) if (!key.startsWith(prefix)) storage.removeItem(key);
  moveOldDrafts(storage, owner, keyOf);
  const store = createStore<DraftState>(() => ({ drafts: read() }));
  return {
    ...store,
    /** Blank text is no draft. */
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
        // A full storage keeps the draft in memory, which is what is asked most of the time.
      }
    },
    /** Reads what another tab has changed. @param key of the storage event, null where everything was cleared */
    refresh(key: string | null): void {
      if (key === null || key.startsWith(prefix)) store.setState({ drafts: read() });
    },
  };
}
