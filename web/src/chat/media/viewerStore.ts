import { createStore } from 'zustand/vanilla';

/** Picture or video in the full-window viewer. */
export const viewerStore = createStore<{ open: { conversationId: string; key: string } | null }>(() => ({
  open: null,
}));
