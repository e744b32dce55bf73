import { createStore } from 'zustand/vanilla';

/** Whether the details pane stands beside the conversation; going to another conversation keeps it. */
export const detailsStore = createStore<{ open: boolean }>(() => ({ open: false }));
