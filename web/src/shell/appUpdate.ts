import { createStore } from 'zustand/vanilla';

/** A new version waits until the person agrees: a draft is never lost to a reload. */
export const appUpdateStore = createStore<{
  apply: (() => void) | null;
  setReady: (apply: () => void) => void;
}>((set) => ({ apply: null, setReady: (apply) => set({ apply }) }));
