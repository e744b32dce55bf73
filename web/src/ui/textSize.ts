import { createStore } from 'zustand/vanilla';
import { textSizeStorageKey } from './appearanceKeys.ts';

/** Size of the app's text and of everything measured by it (textSize.css). */
export const textSizes = ['default', 'large', 'larger', 'largest'] as const;
export type TextSize = (typeof textSizes)[number];

export function textSizeOf(root: HTMLElement): TextSize {
  return textSizes.find((size) => size === root.dataset.text) ?? 'default';
}

/** Notifies of changes to the choice, which is stored on the document. */
export const textSizeChanges = createStore<{ size: TextSize | null }>(() => ({ size: null }));

/** Applies the choice to the document and stores it. The default leaves no trace. */
export function chooseTextSize(size: TextSize, root: HTMLElement, storage: Storage): void {
  if (size === 'default') {
    delete root.dataset.text;
    storage.removeItem(textSizeStorageKey);
  } else {
    root.dataset.text = size;
    storage.setItem(textSizeStorageKey, size);
  }
  textSizeChanges.setState({ size });
}
