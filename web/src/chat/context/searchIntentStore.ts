import { createStore } from 'zustand/vanilla';

/** True if the user is about to search messages: the search then starts at once, not when the app is idle. */
export const searchIntentStore = createStore<{ wanted: boolean }>(() => ({ wanted: false }));
