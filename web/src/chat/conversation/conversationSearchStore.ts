import { createStore } from 'zustand/vanilla';

/** Conversation under search (opened by a key, its header, or its details) and the query. */
export const conversationSearchStore = createStore<{ conversationId: string | null; query: string }>(() => ({
  conversationId: null,
  query: '',
}));
