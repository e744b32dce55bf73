import { createStore } from 'zustand/vanilla';
import { allReady, whenReady, type MaybePromise } from '../content/codec.ts';
import { content as ownContent, type Content } from '../content/content.ts';
import { listDraftKeys, draftKeyPrefix, oldDraftKeyPrefix } from './draftKeys.ts';
import type { ListedStorage } from './draftKeys.ts';

/** Unsent text by conversation. It stays on this device until sign-out. */
interface DraftState {
  readonly drafts: Readonly<Record<string, string>>;
}

type DraftStorage = ListedStorage & Pick<Storage, 'getItem' | 'setItem'>;

export type DraftStore = ReturnType<typeof createDraftStore>;

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
  const oldPrefix = `${oldDraftKeyPrefix}${owner}.`;
  const keyOf = (conversationId: string): string => prefix + conversationId;
  const contextOf = (conversationId: string) => ({ kind: 'draft', conversationId }) as const;
  /** Returns a stored draft. Blank if there is none, or if it does not open: the browser lost its key. */
  const open = (conversationId: string): MaybePromise<string> => {
    const form = storage.getItem(keyOf(conversationId));
    if (form === null) return '';
    const opened = content.openText(form, contextOf(conversationId));
    return opened instanceof Promise ? opened.catch(() => '') : opened;
  };
  const read = (): MaybePromise<Record<string, string>> => {
    const keys = listDraftKeys(storage).filter((key) => key.startsWith(prefix));
    const ids = keys.map((key) => key.slice(prefix.length));
    return whenReady(allReady(ids.map(open)), (texts) =>
      Object.fromEntries(ids.flatMap((id, index) => (texts[index] ? [[id, texts[index]]] : []))),
    );
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
    // A device that has no key now does so, too.
    return written instanceof Promise ? written.catch(() => undefined) : written;
  };
  /** Stores a draft of a previous release in today's form. */
  const move = (oldKey: string): MaybePromise<void> => {
    const id = oldKey.slice(oldPrefix.length);
    const isNewer = storage.getItem(keyOf(id)) !== null;
    const text = content.openText(storage.getItem(oldKey) ?? '', contextOf(id));
    const written = whenReady(text, (opened) => (isNewer ? undefined : put(id, opened)));
    return whenReady(written, () => {
      if (storage.getItem(keyOf(id)) !== null) storage.removeItem(oldKey);
    });
  };
  const keys = listDraftKeys(storage);
  for (const key of keys) if (!key.startsWith(prefix) && !key.startsWith(oldPrefix)) storage.removeItem(key);
  const moved = allReady(keys.filter((key) => key.startsWith(oldPrefix)).map(move));
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
      if (key === null) return void whenReady(read(), (drafts) => store.setState({ drafts }));
      if (!key.startsWith(prefix)) return;
      const id = key.slice(prefix.length);
      const before = store.getState().drafts[id];
      void whenReady(open(id), (text) => {
        const { [id]: current, ...others } = store.getState().drafts;
        // The text typed here meanwhile is newer.
        if (current === before) store.setState({ drafts: text === '' ? others : { ...others, [id]: text } });
      });
    },
  };
}
