import { createStore } from 'zustand/vanilla';

/** Whether the details pane stands beside the open conversation; leaving it closes them. */
export const detailsStore = createStore<{ open: boolean }>(() => ({ open: false }));
