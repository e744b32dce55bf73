import { createStore } from 'zustand/vanilla';

/** The conversation that is being searched; asked for by a key, its header, or its details. */
export const searchStore = createStore<{ conversationId: string | null }>(() => ({ conversationId: null }));
