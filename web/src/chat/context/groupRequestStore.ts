import type { Conversation, User } from '@nolo/api';
import { createStore } from 'zustand/vanilla';

interface GroupRequests {
  /** People to start a group with. */
  newWith: readonly User[] | null;
  /** Group to leave. */
  leaving: Conversation | null;
}

/** Passes requests about groups from chats and rows to the dialogs, which belong to another section. */
export const groupRequestStore = createStore<GroupRequests>(() => ({ newWith: null, leaving: null }));
