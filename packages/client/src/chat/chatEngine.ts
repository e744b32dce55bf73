import type { Conversation, Message } from '@nolo/api';
import { whenReady } from '../content/codec.ts';
import { openFramesInOrder } from '../content/content.ts';
import { createExpiryTimer } from './expiryTimer.ts';
import { createChatCore } from './chatCore.ts';
import { withReadCursor } from './chatStore.ts';
import { createChatSync } from './chatSync.ts';
import { createReceiptSender } from './receiptSender.ts';
import { createPersistence } from './persistence.ts';
import { createLiveFrameHandler } from './liveFrameHandler.ts';
import { findMessageById } from './hiding.ts';
import { withPeople, type KnownPerson } from './people.ts';
import type { MediaFiles, MessageExtras, ChatDependencies } from './ports.ts';
import { createRealtime } from '../socket/realtime.ts';
import { createMessageSender } from './sending.ts';
import { createSocketConnection, type SocketConnection } from '../socket/socketRequests.ts';
import { withoutWindow } from './window.ts';
import { createMessageWrites } from './messageWrites.ts';
import type { ChangeResult, GroupChange } from '../keys/conversations/types.ts';
import { createOpenConversationTracker } from './openConversationTracker.ts';

export type ChatEngine = ReturnType<typeof createChatEngine>;

/**
 * Keeps the chat state current: loads, sends, applies live frames in order of `changeSeq`, and fetches missed changes
 * after every disconnect. With a device, it starts from the stored state and stores updates there.
 */
export function createChatEngine(dependencies: ChatDependencies) {
  const core = createChatCore(dependencies);
  const { content, conversations, device, names, openSocket, onRefused, patch, row, sealed, store, timers } = core;
  const socket = createSocketConnection({
    timers,
    write: (frame) => realtime.write(frame),
  });
  const cursors = createReceiptSender(core, socket);
  const sync = createChatSync(core, cursors);
  const sending = createMessageSender(core, sync);
  const persistence = device && createPersistence(core, sync, device);
  const expiry = createExpiryTimer(core, device);

  const onFrame = createLiveFrameHandler(core, sync, cursors);
  const realtime = createRealtime({
    openSocket,
    timers,
    onFrame: openFramesInOrder(
      (frame) => whenReady(content.openFrame(frame), sealed.closeFrame),
      (frame) => {
        socket.receive(frame);
        onFrame(frame);
      },
    ),
    onRefused,
    onStatus: (connection) => {
      store.setState({ connection });
      socket.setOpen(connection === 'open');
      if (connection !== 'open') return;
      openConversations.rejoin();
      sealed.use((chats) => chats.reconnected());
      sending.flush();
      cursors.sendWaiting();
      void sync.resync();
      persistence?.freshenLater();
    },
  });

  const openConversations = createOpenConversationTracker(core, sync, realtime);
  const writes = createMessageWrites(core);
  let stopResuming: (() => void) | undefined;

  return {
    store,
    /** Used by conversationActions.ts, which loads when a conversation is first opened. */
    internals: { core, sync },
    /** Socket for features with protocols of their own: meetings and calls. */
    socket: socket as SocketConnection,
    start(): void {
      stopResuming = conversations?.subscribe((id) => sending.resume(id));
      sealed.use(() => undefined);
      sending.start();
      expiry.start();
      realtime.start();
      // An already open socket sends hello before this, and its hello handler resyncs everything.
      queueMicrotask(() => {
        if (store.getState().connection !== 'open') void sync.resync();
      });
    },
    stop(): void {
      sync.stop();
      stopResuming?.();
      sealed.use((chats) => chats.stop());
      realtime.stop();
      sending.stop();
      expiry.stop();
      persistence?.stop();
    },
    /** Stores changes immediately, because the page may be about to close. */
    keepNow: () => void persistence?.write(),
    /** Called on user request, when the network returns, or when the page becomes visible. */
    retryConnection: () => realtime.retryNow(),
    /** Reloads rows after an outside change to their content, such as a contact's name or a block. */
    refresh: () => void sync.resync(),
    reloadList(): void {
      store.setState({ list: 'loading' });
      void sync.resync();
    },
    loadMoreConversations: () => sync.loadMore(),
    /** Requests names of people who are shown without one. */
    wantNames: (userIds: readonly string[]) => names.want(userIds),
    /** Stores names that arrived in another response, such as a page of members. */
    learnPeople: (people: readonly KnownPerson[]) => patch((state) => ({ people: withPeople(state.people, people) })),
    /** Removes a conversation that the user left here. The frame for it may still arrive. */
    forgetConversation: (conversationId: string) => sync.forget(conversationId),
    /** Adds a row to the list as the server has just sent it. */
    addConversation: (conversation: Conversation) => sync.bring(conversation),
    /** Returns rows of another answer, such as the pinned ones, opened as far as they open now. */
    openRows: core.openRows,
    /** Answers a question of a sealed conversation. What waited for it is sent. Rejects with the request's error. */
    async answerQuestion(conversationId: string, questionId: string, isAccepted: boolean): Promise<void> {
      await (await sealed.load())?.standings.answer(conversationId, questionId, isAccepted);
      sending.flush();
    },
    /**
     * Signs changes of a group or of a timer. The body of the ordinary route takes `epoch`, if the result has one.
     * Rejects with the request's error.
     */
    async changeGroup(conversationId: string, changes: readonly GroupChange[]): Promise<ChangeResult> {
      const chats = await sealed.load();
      return chats ? chats.standings.change(conversationId, changes) : { state: 'plain', withoutKeys: [] };
    },
    open: openConversations.open,
    close: openConversations.close,
    loadOlder: (conversationId: string) => sync.loadOlder(conversationId),
    send(conversationId: string, content: string, extras?: MessageExtras, files?: MediaFiles, id?: string): string {
      openConversations.stopTyping(conversationId);
      patch((state) => withoutWindow(state, conversationId));
      return sending.send(conversationId, content, extras, files, id);
    },
    retry: sending.retry,
    discard: sending.discard,
    /** Edits a message that is loaded, or that the caller knows. Rejects with the request's error. */
    async edit(messageId: string, text: string, extras?: MessageExtras, known?: Message): Promise<void> {
      const message = findMessageById(store.getState(), messageId) ?? known;
      if (!message) throw new Error('Only a known message can be edited.');
      sync.receive(await writes.edit(message, text, extras));
    },
    async remove(messageId: string): Promise<void> {
      sync.receive(await writes.remove(messageId));
    },
    /** Marks a conversation as read when its newest message was on the screen. */
    markRead(conversationId: string): void {
      const current = row(conversationId);
      if (!current || current.readSeq >= current.lastSeq) return;
      const readSeq = current.lastSeq;
      patch((state) => withReadCursor(state, conversationId, readSeq));
      cursors.read(conversationId, readSeq);
    },
    typing: openConversations.typing,
  };
}
