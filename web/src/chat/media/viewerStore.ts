import { createStore } from 'zustand/vanilla';

/** Which picture or video is looked at over the whole window. */
export const viewerStore = createStore<{ open: { conversationId: string; key: string } | null }>(() => ({
  open: null,
}));
