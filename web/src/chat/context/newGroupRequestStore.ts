import { createStore } from 'zustand/vanilla';
import type { ListedPerson } from '../groupCalls/person.ts';

/** People to start a group with: passes them from a chat to the dialog, which belongs to another section. */
export const newGroupRequestStore = createStore<{ people: readonly ListedPerson[] | null }>(() => ({ people: null }));
