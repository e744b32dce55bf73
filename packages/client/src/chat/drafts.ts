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
  put: (conversationId: string, text: string) => MaybePromise<void>,
): MaybePromise<unknown> {
  const text = storage.getItem(oldDraftsKey);
  if (text === null) return;
  const moved: MaybePromise<void>[] = [];
  try {
    const old = JSON.parse(text) as { owner: string; drafts: Record<string, string> };
    for (const [id, draft] of Object.entries(old.owner === owner ? old.drafts : {})) {
      if (storage.getItem(keyOf(id)) === null) moved.push(put(id, draft));
    }
  } catch {
    // Invalid content.
  }
  return whenReady(allReady(moved), () => storage.removeItem(oldDraftsKey));
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
      if (sealed === null) return [];
      const opened = whenReady(content.openText(sealed, contextOf(id)), (text): [string, string] => [id, text]);
      // A draft that does not open is lost: the browser lost its key.
      return [opened instanceof Promise ? opened.catch((): [string, string] => [id, '']) : opened];
    });
    return whenReady(allReady(drafts), (all) => Object.fromEntries(all.filter(([, text]) => text !== '')));
  };
  const store = createStore<DraftState>(() => ({ drafts: {} }));
  /** Text of each conversation that was sealed last. */
  const sealed = new Map<string, { readonly text: string; readonly form: MaybePromise<string> }>();
  const seal = (conversationId: string, text: string): MaybePromise<string> => {
    const last = sealed.get(conversationId);
    if (last?.text === text) return last.form;
    const form = content.sealText(text, contextOf(conversationId));
    sealed.set(conversationId, { text, form });
    if (!(form instanceof Promise)) return form;
    form.then(
      (ready) => {
        if (sealed.get(conversationId)?.form === form) sealed.set(conversationId, { text, form: ready });
      },
      () => sealed.delete(conversationId),
    );
    return form;
  };
  /** Stores a draft, unless it has changed again by the time it is sealed. */
  const put = (conversationId: string, text: string, isCurrent = () => true): MaybePromise<void> => {
    const written = whenReady(seal(conversationId, text), (form) => {
      try {
        if (isCurrent()) storage.setItem(keyOf(conversationId), form);
      } catch {
        // Full storage leaves the draft in memory, which suffices in most cases.
      }
    });
    // So does a device that has no key now.
    return written instanceof Promise ? written.catch(() => undefined) : written;
  };
  for (const key of listDraftKeys(storage)) if (!key.startsWith(prefix)) storage.removeItem(key);
  const moved = moveOldDrafts(storage, owner, keyOf, put);
  // Texts typed while stored ones are being opened are newer.
  void whenReady(whenReady(moved, read), (stored) =>
    store.setState(({ drafts }) => ({ drafts: { ...stored, ...drafts } })),
  );
  return {
    ...store,
    /** Seals a text that may be set soon, because a page that closes then cannot wait for that. */
    async prepare(conversationId: string, text: string): Promise<void> {
      if (text.trim() !== '') await seal(conversationId, text);
    },
    /** Blank text deletes the draft. */
    set(conversationId: string, text: string): void {
      const { [conversationId]: known, ...others } = store.getState().drafts;
      const blank = text.trim() === '';
      if (blank ? known === undefined : known === text) return;
      store.setState({ drafts: blank ? others : { ...others, [conversationId]: text } });
      if (!mayKeep()) return;
      if (!blank)
        return void put(conversationId, text, () => store.getState().drafts[conversationId] === text && mayKeep());
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
