import { createStore } from 'zustand/vanilla';
import { linkPreviewStorageKey } from '../../session/ownKeys.ts';
import { accountPreferences, sharePreference } from '../../session/preferences.ts';

/** Whether links that one writes are looked at; `ask` until one has said so, on whichever device. */
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
        // A full storage asks again the next time.
      }
    },
  };
}

let own: ReturnType<typeof createLinkPreviewChoice> | undefined;

/** The choice of whoever is here. */
export function linkPreviewChoice(): ReturnType<typeof createLinkPreviewChoice> {
  if (own) return own;
  const made = createLinkPreviewChoice(localStorage);
  sharePreference(accountPreferences(), 'linkPreviews', {
    get: () => made.getState().choice,
    set: made.choose,
    subscribe: made.subscribe,
    usual: 'ask',
  });
  own = made;
  return made;
}
