import { createStore } from 'zustand/vanilla';
import { linkPreviewStorageKey } from '../../session/ownKeys.ts';
import { getAccountPreferenceStore, syncPreference } from '../../session/preferences.ts';

/** User's choice about previews of links they write. `ask` until they choose on any device. */
export type LinkPreviewChoice = 'ask' | 'on' | 'off';

type ChoiceStorage = Pick<Storage, 'getItem' | 'setItem'>;

export function createLinkPreviewChoiceStore(storage: ChoiceStorage) {
  const stored = storage.getItem(linkPreviewStorageKey);
  const store = createStore<{ choice: LinkPreviewChoice }>(() => ({
    choice: stored === 'on' || stored === 'off' ? stored : 'ask',
  }));
  return {
    ...store,
    choose(choice: 'on' | 'off'): void {
      store.setState({ choice });
      try {
        storage.setItem(linkPreviewStorageKey, choice);
      } catch {
        // Full storage means that the app asks again next time.
      }
    },
  };
}

let own: ReturnType<typeof createLinkPreviewChoiceStore> | undefined;

/** Returns the current user's choice. */
export function getLinkPreviewChoiceStore(): ReturnType<typeof createLinkPreviewChoiceStore> {
  if (own) return own;
  const made = createLinkPreviewChoiceStore(localStorage);
  syncPreference(getAccountPreferenceStore(), 'linkPreviews', {
    get: () => made.getState().choice,
    set: made.choose,
    subscribe: made.subscribe,
    defaultValue: 'ask',
  });
  own = made;
  return made;
}
