import { createStore } from 'zustand/vanilla';
import { linkPreviewStorageKey } from '../../session/ownKeys.ts';
import { accountPreferences, sharePreference } from '../../session/preferences.ts';

/** User's choice about previews of links they write. `ask` until they choose on any device. */
export type LinkPreviewChoice = 'ask' | 'on' | 'off';

type ChoiceStorage = Pick<Storage, 'getItem' | 'setItem'>;

export function createLinkPreviewChoice(storage: ChoiceStorage) {
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

let own: ReturnType<typeof createLinkPreviewChoice> | undefined;

/** Returns the current user's choice. */
export function linkPreviewChoice(): ReturnType<typeof createLinkPreviewChoice> {
  if (own) return own;
  const made = createLinkPreviewChoice(localStorage);
  sharePreference(accountPreferences(), 'linkPreviews', {
    get: () => made.getState().choice,
    set: made.choose,
    subscribe: made.subscribe,
    defaultValue: 'ask',
  });
  own = made;
  return made;
}
