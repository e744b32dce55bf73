import type { Conversation } from '@nolo/api';
import type { Retry } from '../../api/retry.ts';
import type { ChatCore } from './chatCore.ts';
import { lacksMembers, withConversation, withoutConversation } from './chatStore.ts';

export type ConversationRows = ReturnType<typeof createConversationRows>;

/** The rows of the list, one by one: asked for, taken in as the server told them, and forgotten. */
export function createConversationRows({ api, device, failureOf, patch, row, store }: ChatCore, retry: Retry) {
  /** One is in a conversation no longer: nothing of it stays, here or on the device. */
  const forget = (id: string): void => {
    if (!row(id) && !store.getState().timelines[id]) return;
    patch((state) => withoutConversation(state, id));
    // What could not be erased now goes when the conversation is found missing again.
    device?.removeChat(id).catch(() => {});
  };

  const isGone = (error: unknown): boolean => failureOf(error).code === 'conversation_not_found';

  /** Loads a conversation that turned up in a frame. Unknown again means that it is none of ours. */
  const loadRow = async (id: string): Promise<void> => {
    const loaded = await api.getConversation(id).catch((error: unknown) => retry.later(error));
    if (loaded) patch((state) => withConversation(state, loaded));
  };

  /** The ticks under what one wrote need to know how far everybody is. */
  const askForMembers = (id: string): void => {
    const known = row(id);
    if (known && lacksMembers(known)) void loadRow(id);
  };

  /** The last message is hidden, and which one comes before it is not known here. */
  const askForLast = (id: string): void => {
    const known = row(id);
    if (known?.lastMessage === null && known.lastSeq > known.clearedSeq) void loadRow(id);
  };

  /** Rows that came from the server by themselves, before their messages were asked for. */
  const brought = new Set<string>();

  /** Takes in a row that the server has just told. */
  const bring = (conversation: Conversation): void => {
    if (store.getState().timelines[conversation.id] === undefined) brought.add(conversation.id);
    patch((state) => withConversation(state, conversation));
  };

  return {
    forget,
    isGone,
    loadRow,
    askForMembers,
    askForLast,
    bring,
    /** The row, once, where it was brought a moment ago and kept up to date since: it need not be asked for again. */
    takeBrought: (id: string): Conversation | undefined => (brought.delete(id) ? row(id) : undefined),
  };
}
