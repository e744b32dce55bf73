import { createStore } from 'zustand/vanilla';

/** The browser's own offer to install the app, kept until a button asks for it. */
export interface InstallOffer {
  /** Asks the person; true when they agreed. The offer is used up either way. */
  prompt: () => Promise<boolean>;
}

export const installStore = createStore<{
  offer: InstallOffer | null;
  setOffer: (offer: InstallOffer | null) => void;
}>((set) => ({ offer: null, setOffer: (offer) => set({ offer }) }));
