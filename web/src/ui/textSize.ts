import { createStore } from 'zustand/vanilla';
import { textSizeStorageKey } from './lookKeys.ts';

/** How large the app's text is, and what is measured by it (textSize.css). */
export const textSizes = ['usual', 'large', 'larger', 'largest'] as const;
export type TextSize = (typeof textSizes)[number];

export function textSizeOf(root: HTMLElement): TextSize {
  return textSizes.find((size) => size === root.dataset.text) ?? 'usual';
}

/** Says that the choice changed; what it is stands on the document. */
export const textSizeStore = createStore<{ size: TextSize | null }>(() => ({ size: null }));

/** Puts the choice on the document and keeps it; the usual one leaves nothing behind. */
export function chooseTextSize(size: TextSize, root: HTMLElement, storage: Storage): void {
  if (size === 'usual') {
    delete root.dataset.text;
    storage.removeItem(textSizeStorageKey);
  } else {
    root.dataset.text = size;
    storage.setItem(textSizeStorageKey, size);
  }
  textSizeStore.setState({ size });
}
