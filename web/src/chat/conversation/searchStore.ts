import { createStore } from 'zustand/vanilla';

/** The conversation that is being searched, by a key, its header, or its details; and what is searched for. */
export const searchStore = createStore<{ conversationId: string | null; query: string }>(() => ({
  conversationId: null,
  query: '',
}));
