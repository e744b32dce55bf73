import { createStore } from 'zustand/vanilla';

/*
 * Question about files that may contain their location. confirmSendingLocation.ts asks it, and
 * app/LocationQuestionHost.tsx shows it.
 */

interface PlaceQuestion {
  readonly names: readonly string[];
  readonly answer: (mayGo: boolean) => void;
}

export const locationWarningStore = createStore<{ readonly question: PlaceQuestion | null }>(() => ({
  question: null,
}));
