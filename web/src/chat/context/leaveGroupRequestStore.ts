import type { Conversation } from '@nolo/api';
import { createStore } from 'zustand/vanilla';

/** Group to leave: passes it from the menu of a row to the confirmation dialog, which belongs to another section. */
export const leaveGroupRequestStore = createStore<{ group: Conversation | null }>(() => ({ group: null }));
