import { createStore } from 'zustand/vanilla';

/** Whether links that one writes are looked at; `ask` until one has said so. Chosen on each device. */
export type LinkPreviewChoice = 'ask' | 'on' | 'off';

export const linkPreviewStorageKey = 'nolo.linkPreviews';

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

/** The choice made on this device. */
export function linkPreviewChoice(): ReturnType<typeof createLinkPreviewChoice> {
  return (own ??= createLinkPreviewChoice(localStorage));
}
