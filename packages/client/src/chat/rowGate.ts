import type { Conversation, Message, ServerFrame } from '@nolo/api';
import type { createChatStore } from './chatStore.ts';
import { findKnownMessage } from './hiding.ts';
import type { ChatApi, SealedApi } from './ports.ts';
import type { StoredMessage } from './rowOpening.ts';
import { closeRow, withoutClaims } from './rowForms.ts';
import { isSaidToBeSealed } from './sealedKnowledge.ts';
import { wasSealed } from './sealedRows.ts';
import type { PendingMessage } from './timeline.ts';

/** Closes a row that arrives, unless it needs no opening or is known. */
export type CloseArrived = (message: StoredMessage, isInSealed?: boolean) => StoredMessage;

/** Returns the user's own message as it was written, until the device has checked what the server stored. */
function withWritten(row: Message, { content, extras = {} }: PendingMessage): StoredMessage {
  const { media, forwarded = false, mentions = [], linkPreview = null, extra } = extras;
  return {
    ...row,
    sealed: null,
    expiresAt: null,
    content,
    ...media?.fields,
    messageType: row.messageType,
    forwarded,
    mentions: [...mentions],
    linkPreview,
    ...(extra && { extra }),
    opening: {
      state: 'open',
      rowHash: null,
      sentAt: Date.parse(row.createdAt),
      late: false,
      outOfOrder: false,
      pinnedBy: null,
      row,
    },
  };
}

/**
 * Closes rows of sealed conversations as they arrive, so that nothing shows what the server claims. What is known of an
 * earlier state of a row stays on the screen until the new one is open.
 */
export function createRowGate({ getState }: ReturnType<typeof createChatStore>): CloseArrived {
  return (message, isInSealed) => {
    const { conversationId, changeSeq, clientMessageId, deletedAt, hidden, opening, seq } = message;
    const state = getState();
    if (opening) return message;
    if (!wasSealed(message) && !isInSealed && !isSaidToBeSealed(state, conversationId)) return message;
    // The opener leaves hidden rows alone, so nothing that the server claims about them may show.
    if (hidden) return withoutClaims(message);
    const known: StoredMessage | undefined = findKnownMessage(state, conversationId, seq);
    if (known?.id === message.id && known.opening && !known.hidden) {
      if (known.changeSeq >= changeSeq) return known;
      const { state: found } = known.opening;
      if (found === 'expired') return { ...known, changeSeq };
      if (deletedAt === null && (found === 'open' || found === 'plain'))
        return { ...known, changeSeq, editedAt: message.editedAt, opening: { ...known.opening, row: message } };
    }
    const written =
      message.senderId === state.selfId &&
      state.timelines[conversationId]?.pending.find((one) => one.clientMessageId === clientMessageId);
    return written && deletedAt === null ? withWritten(message, written) : closeRow(message);
  };
}

/** Returns a frame with its row closed. */
export function closeFrame(frame: ServerFrame, close: CloseArrived): ServerFrame {
  if (frame.type !== 'new_message' && frame.type !== 'message_updated') return frame;
  return { ...frame, data: close(frame.data) } as ServerFrame;
}

type Answered<M extends keyof ChatApi> = Awaited<ReturnType<NonNullable<ChatApi[M]>>>;

/** Closes the rows of an answer, by the method of the port that answers. */
export type AnswerClosers = ReturnType<typeof createAnswerClosers>;

/** Creates what closes the rows of the server's answers. */
export function createAnswerClosers(close: CloseArrived) {
  const closeLast = (row: Conversation): Conversation => {
    const { lastMessage, sealedFromSeq = null } = row;
    if (!lastMessage) return row;
    return { ...row, lastMessage: { ...close(lastMessage, sealedFromSeq !== null), timestamp: lastMessage.timestamp } };
  };
  const closePage = <P extends { items: Message[] } | undefined>(page: P): P =>
    page && { ...page, items: page.items.map((message) => close(message)) };
  const closeOne = (message: Message): Message => close(message);
  return {
    listConversations: (page) => ({ ...page, items: page.items.map(closeLast) }),
    getConversation: closeLast,
    listMessages: closePage,
    takeEarlyPage: closePage,
    listChanges: (reply) => ({
      ...reply,
      changes: reply.changes.map((change) =>
        change.type === 'message' ? { ...change, message: close(change.message) } : change,
      ),
    }),
    sendMessage: (answer) => ('held' in answer ? answer : close(answer)),
    editMessage: closeOne,
    deleteMessage: closeOne,
    react: closeOne,
    pinMessage: closeOne,
    hideMessage: closeOne,
  } satisfies { [M in keyof ChatApi]?: (answer: Answered<M>) => Answered<M> };
}

type Call = (...values: unknown[]) => Promise<unknown>;

/** Returns the port to the server with the rows of its answers closed. */
export function closeAnswers(api: ChatApi, closers: AnswerClosers): ChatApi {
  const calls: Partial<Record<keyof ChatApi, Call>> = {};
  for (const [name, closeAnswer] of Object.entries(closers) as [keyof AnswerClosers, (answer: unknown) => unknown][])
    if (api[name]) calls[name] = async (...values) => closeAnswer(await (api[name] as Call)(...values));
  return { ...api, ...(calls as Partial<ChatApi>) };
}

/** Returns the port of sealed conversations to the server with the rows of its answers closed. */
export function closeSealedAnswers(api: SealedApi, close: CloseArrived): SealedApi {
  return {
    ...api,
    editSealed: async (...edit) => close(await api.editSealed(...edit)),
    deleteSealed: async (...deletion) => close(await api.deleteSealed(...deletion)),
    reactSealed: async (...reaction) => close(await api.reactSealed(...reaction)),
    pinSealed: async (...pin) => close(await api.pinSealed(...pin)),
  };
}
