import type { User } from '@nolo/api';
import { createStore } from 'zustand/vanilla';

/** People to start a group with: passes them from a chat to the dialog, which belongs to another section. */
export const newGroupRequestStore = createStore<{ people: readonly User[] | null }>(() => ({ people: null }));
