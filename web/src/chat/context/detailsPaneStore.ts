import { createStore } from 'zustand/vanilla';

/** Open state of the details pane next to the conversation; leaving the conversation closes it. */
export const detailsPaneStore = createStore<{ open: boolean }>(() => ({ open: false }));
