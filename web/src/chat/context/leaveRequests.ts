import type { Conversation } from '@nolo/api';
import { createStore } from 'zustand/vanilla';

/**
 * Between the menu of a row, which can leave a group, and the dialog that asks first, which is of a room above: the group
 * that is to be left waits here.
 */
export const leaveRequests = createStore<{ group: Conversation | null }>(() => ({ group: null }));
