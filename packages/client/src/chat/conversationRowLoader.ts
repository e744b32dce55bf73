import type { Conversation } from '@nolo/api';
import type { RefreshRetry } from './refreshRetry.ts';
import type { ChatCore } from './chatCore.ts';
import { isMissingMembers, withConversation, withoutConversation } from './chatStore.ts';

export type ConversationRowLoader = ReturnType<typeof createConversationRowLoader>;

/** Manages individual rows of the list: loads them, stores them as the server sends them, and removes them. */
export function createConversationRowLoader(
  { api, device, failureOf, patch, row, store }: ChatCore,
  retry: RefreshRetry,
) {
  /** Removes all data of a conversation that the user is no longer in, here and on the device. */
  const forget = (id: string): void => {
    if (!row(id) && !store.getState().timelines[id]) return;
    patch((state) => withoutConversation(state, id));
    // If erasing fails now, it is repeated when the conversation is found missing again.
    device?.removeChat(id).catch(() => {});
  };

  const isGone = (error: unknown): boolean => failureOf(error).code === 'conversation_not_found';

  /** Loads a conversation named by a frame. If it is unknown to the server, the user is not in it. */
  const loadRow = async (id: string): Promise<void> => {
    const loaded = await api.getConversation(id).catch((error: unknown) => retry.later(error));
    if (loaded) patch((state) => withConversation(state, loaded));
  };

  /** Loads all members for the ticks of the user's own messages. */
  const requestMembers = (id: string): void => {
    const known = row(id);
    if (known && isMissingMembers(known)) void loadRow(id);
  };

  /** Loads the row if its last message is hidden and the one before is unknown. */
  const requestLastMessage = (id: string): void => {
    const known = row(id);
    if (known?.lastMessage === null && known.lastSeq > known.clearedSeq) void loadRow(id);
  };

  /** Rows that the server sent before their messages were requested. */
  const brought = new Set<string>();

  /** Stores a row that the server has just sent. */
  const bring = (conversation: Conversation): void => {
    if (store.getState().timelines[conversation.id] === undefined) brought.add(conversation.id);
    patch((state) => withConversation(state, conversation));
  };

  return {
    forget,
    isGone,
    loadRow,
    askForMembers: requestMembers,
    askForLast: requestLastMessage,
    bring,
    /** Returns, once, a row that arrived recently and is still current, so that it need not be requested. */
    takeBrought: (id: string): Conversation | undefined => (brought.delete(id) ? row(id) : undefined),
  };
}
