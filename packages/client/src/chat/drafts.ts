import { createStore } from 'zustand/vanilla';
import { allReady, whenReady, type MaybePromise } from '../content/codec.ts';
import { content as ownContent, type Content } from '../content/content.ts';
import { listDraftKeys, draftKeyPrefix, oldDraftsKey } from './draftKeys.ts';
import type { ListedStorage } from './draftKeys.ts';

/** Unsent text by conversation. It stays on this device until sign-out. */
interface DraftState {
  readonly drafts: Readonly<Record<string, string>>;
}

type DraftStorage = ListedStorage & Pick<Storage, 'getItem' | 'setItem'>;

export type DraftStore = ReturnType<typeof createDraftStore>;

/** Migrates drafts from previous releases, which stored all under one key, so that tabs overwrote each other. */
function moveOldDrafts(
  storage: DraftStorage,
  owner: string,
  keyOf: (conversationId: string) => string,
  put: (conversationId: string, text: string) => void,
): void {
  const text = storage.getItem(oldDraftsKey);
  if (text === null) return;
  try {
    const old = JSON.parse(text) as { owner: string; drafts: Record<string, string> };
    for (const [id, draft] of Object.entries(old.owner === owner ? old.drafts : {})) {
      if (storage.getItem(keyOf(id)) === null) put(id, draft);
    }
  } catch {
    // Invalid content or full storage.
  }
  storage.removeItem(oldDraftsKey);
}

/**
 * Stores one account's drafts, each under its own key, so that tabs do not overwrite each other. Drafts of another
 * account on the same device are erased and never shown. `mayKeep` returns false after sign-out, so that a closing
 * composer does not write into erased storage. The storage contains sealed texts.
 */
export function createDraftStore(
  owner: string,
  storage: DraftStorage,
  mayKeep: () => boolean = () => true,
  content: Content = ownContent,
) {
  const prefix = `${draftKeyPrefix}${owner}.`;
  const keyOf = (conversationId: string): string => prefix + conversationId;
  const contextOf = (conversationId: string) => ({ kind: 'draft', conversationId }) as const;
  const read = (): MaybePromise<Record<string, string>> => {
    const drafts = listDraftKeys(storage).flatMap((key): MaybePromise<[string, string]>[] => {
      const sealed = key.startsWith(prefix) ? storage.getItem(key) : null;
      const id = key.slice(prefix.length);
      return sealed === null ? [] : [whenReady(content.openText(sealed, contextOf(id)), (text) => [id, text])];
    });
    return whenReady(allReady(drafts), (all) => Object.fromEntries(all));
  };
  const store = createStore<DraftState>(() => ({ drafts: {} }));
  /** Stores a draft, unless it has changed again by the time it is sealed. */
  const put = (conversationId: string, text: string, isCurrent: () => boolean = () => true): void => {
    void whenReady(content.sealText(text, contextOf(conversationId)), (sealed) => {
      try {
        if (isCurrent()) storage.setItem(keyOf(conversationId), sealed);
      } catch {
        // Full storage leaves the draft in memory, which suffices in most cases.
      }
    });
  };
  for (const key of listDraftKeys(storage)) if (!key.startsWith(prefix)) storage.removeItem(key);
  moveOldDrafts(storage, owner, keyOf, put);
  // Texts typed while stored ones are being opened are newer.
  void whenReady(read(), (stored) => store.setState(({ drafts }) => ({ drafts: { ...stored, ...drafts } })));
  return {
    ...store,
    /** Blank text deletes the draft. */
    set(conversationId: string, text: string): void {
      const { [conversationId]: known, ...others } = store.getState().drafts;
      const blank = text.trim() === '';
      if (blank ? known === undefined : known === text) return;
      store.setState({ drafts: blank ? others : { ...others, [conversationId]: text } });
      if (!mayKeep()) return;
      if (!blank) return put(conversationId, text, () => store.getState().drafts[conversationId] === text && mayKeep());
      try {
        storage.removeItem(keyOf(conversationId));
      } catch {
        // Denied storage has no draft to remove.
      }
    },
    /** Reloads after a change in another tab. @param key of the storage event, null if everything was cleared */
    refresh(key: string | null): void {
      if (key === null || key.startsWith(prefix)) void whenReady(read(), (drafts) => store.setState({ drafts }));
    },
  };
}
