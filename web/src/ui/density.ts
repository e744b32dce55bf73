import { createStore } from 'zustand/vanilla';
import { densityStorageKey } from './lookKeys.ts';

/** How close rows and messages stand, where there is a mouse and room to choose (density.css). */
export type Density = 'comfortable' | 'compact';

export function densityOf(root: HTMLElement): Density {
  return root.dataset.density === 'compact' ? 'compact' : 'comfortable';
}

/** Says that the choice changed; what it is stands on the document. */
export const densityStore = createStore<{ density: Density | null }>(() => ({ density: null }));

/** Puts the choice on the document and keeps it; the usual one leaves nothing behind. */
export function chooseDensity(density: Density, root: HTMLElement, storage: Storage): void {
  if (density === 'compact') {
    root.dataset.density = density;
    storage.setItem(densityStorageKey, density);
  } else {
    delete root.dataset.density;
    storage.removeItem(densityStorageKey);
  }
  densityStore.setState({ density });
}
