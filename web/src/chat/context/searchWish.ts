import { createStore } from 'zustand/vanilla';

/** Whether somebody is about to search messages: what searches them is begun then, and not first when there is time. */
export const searchWish = createStore<{ wanted: boolean }>(() => ({ wanted: false }));
