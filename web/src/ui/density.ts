import { createStore } from 'zustand/vanilla';
import { densityStorageKey } from './appearanceKeys.ts';

/** Spacing of rows and messages, selectable with a mouse and enough space (density.css). */
export type Density = 'comfortable' | 'compact';

export function densityOf(root: HTMLElement): Density {
  return root.dataset.density === 'compact' ? 'compact' : 'comfortable';
}

/** Notifies of changes to the choice, which is stored on the document. */
export const densityChanges = createStore<{ density: Density | null }>(() => ({ density: null }));

/** Applies the choice to the document and stores it. The default leaves no trace. */
export function chooseDensity(density: Density, root: HTMLElement, storage: Storage): void {
  if (density === 'compact') {
    root.dataset.density = density;
    storage.setItem(densityStorageKey, density);
  } else {
    delete root.dataset.density;
    storage.removeItem(densityStorageKey);
  }
  densityChanges.setState({ density });
}
