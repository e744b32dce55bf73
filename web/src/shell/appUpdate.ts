import { createStore } from 'zustand/vanilla';

/** Waiting app version and its activation. It waits for the user's consent, so that no draft is lost to a reload. */
export const appUpdateStore = createStore<{
  apply: (() => void) | null;
  setReady: (apply: () => void) => void;
}>((set) => ({ apply: null, setReady: (apply) => set({ apply }) }));
