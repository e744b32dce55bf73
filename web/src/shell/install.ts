import { createStore } from 'zustand/vanilla';

/** Browser's install prompt, stored until a button uses it. */
export interface InstallOffer {
  /** Shows the prompt. Resolves to true if the user agreed. The prompt is used up in either case. */
  prompt: () => Promise<boolean>;
}

export const installStore = createStore<{
  offer: InstallOffer | null;
  setOffer: (offer: InstallOffer | null) => void;
}>((set) => ({ offer: null, setOffer: (offer) => set({ offer }) }));
