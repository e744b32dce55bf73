import { createStore } from 'zustand/vanilla';

/** How close rows and messages stand, where there is a mouse and room to choose (density.css). */
export type Density = 'comfortable' | 'compact';

/** Where the choice is kept between visits; boot.ts puts it on the document before the first paint. */
export const densityStorageKey = 'nolo.density';

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
