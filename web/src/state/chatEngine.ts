import type { Conversation, Message, NewMessage, ServerFrame } from '@nolo/api';
import { limits } from '@nolo/rules';
import {
  createChatStore,
  withConversation,
  withMember,
  withReadCursor,
  withReceipt,
  withReceivedMessage,
  withTimeline,
  withTyping,
  type ChatState,
} from './chatStore.ts';
import { createAskAgain } from './askAgain.ts';
import { createOutbox, type SendFailure } from './outbox.ts';
import type { ChatApi, OpenSocket, Timers } from './ports.ts';
import { createRealtime } from './realtime.ts';
import { withNewestPage, withOlderPage, withoutPending, withPending, withPendingState } from './timeline.ts';

interface Dependencies {
  selfId: string;
  api: ChatApi;
  openSocket: OpenSocket;
  timers: Timers;
  newId(): string;
  failureOf(error: unknown): SendFailure;
  /** A frame that concerns other parts of the app: contacts, one's own profile. */
  onOtherFrame(frame: ServerFrame): void;
  /** The connection was refused; `certain` when the server said that the session ended. */
  onRefused(certain: boolean): void;
}

const pageSize = 50;
/** A device that missed more than this many pages of changes starts again from the newest messages. */
const maxCatchUpPages = 4;
/** A typing mark is renewed this often while keys are pressed. */
const typingRenewMs = 3_000;

export type ChatEngine = ReturnType<typeof createChatEngine>;

/**
 * Keeps the chat state true: loads, sends, applies live frames in the order of `changeSeq`, and after every break asks
 * for what was missed.
 */
export function createChatEngine({
  selfId,
  api,
  openSocket,
  timers,
  newId,
  failureOf,
  onOtherFrame,
  onRefused,
}: Dependencies) {
  const store = createChatStore(selfId);
  const patch = (change: (state: ChatState) => Partial<ChatState>) => store.setState(change(store.getState()));
  const catchingUp = new Map<string, Promise<void>>();
  const delivered = new Map<string, number>();
  const joined = new Set<string>();
  const typingSent = new Map<string, number>();
  let nextCursor: string | null = null;
  let loadingMore = false;

  const row = (id: string): Conversation | undefined => store.getState().conversations[id];
  const askAgain = createAskAgain({ timers, failureOf, ask: () => void resync() });

  /** Loads a conversation that turned up in a frame. Unknown again means that it is none of ours. */
  const loadRow = async (id: string): Promise<void> => {
    const loaded = await api.getConversation(id);
    patch((state) => withConversation(state, loaded));
  };

  const confirmDelivered = (id: string): void => {
    const lastSeq = row(id)?.lastSeq ?? 0;
    if (lastSeq <= (delivered.get(id) ?? 0)) return;
    delivered.set(id, lastSeq);
    // A lost confirmation costs a grey tick until the next one; nothing else depends on it.
    api.moveCursor(id, { deliveredSeq: lastSeq }).catch(() => delivered.delete(id));
  };

  const receive = (message: Message): void => {
    const { change, missing } = withReceivedMessage(store.getState(), message);
    store.setState(change);
    if (missing) void catchUp(message.conversationId);
  };

  /** Asks for what changed after the timeline's last change, until it is complete. One at a time per conversation. */
  const catchUp = (id: string): Promise<void> => {
    const running = catchingUp.get(id);
    if (running) return running;
    let succeeded = true;
    const task = (async () => {
      for (let page = 0; page < maxCatchUpPages; page++) {
        const timeline = store.getState().timelines[id];
        if (timeline?.status !== 'ready') return;
        const { changes, changeSeq, hasMore } = await api.listChanges(id, timeline.changeSeq);
        for (const change of changes) {
          if (change.type === 'message') store.setState(withReceivedMessage(store.getState(), change.message).change);
          else patch((state) => withMember(state, id, change.member));
        }
        const covered = changes.every((change) => change.type !== 'message' || isShown(id, change.message));
        patch((state) =>
          withTimeline(state, id, (current) => ({ ...current, changeSeq: Math.max(current.changeSeq, changeSeq) })),
        );
        // The changes come in the order of changeSeq, so an edited old message may stand before the new ones that close
        // the hole; where the run still has a hole, the newest page replaces it.
        if (!covered) return openTimeline(id, true);
        if (!hasMore) return;
      }
      // So much was missed that the newest page is the shorter way.
      await openTimeline(id, true);
    })()
      .catch((error: unknown) => {
        succeeded = false;
        askAgain.later(error);
      })
      .finally(() => {
        catchingUp.delete(id);
        // Frames that came while the answer was on its way may lie beyond it.
        if (
          succeeded &&
          store.getState().timelines[id]?.status === 'ready' &&
          (row(id)?.changeSeq ?? 0) > (store.getState().timelines[id]?.changeSeq ?? 0)
        )
          void catchUp(id);
      });
    catchingUp.set(id, task);
    return task;
  };

  const isShown = (id: string, message: Message): boolean => {
    const messages = store.getState().timelines[id]?.messages ?? [];
    const last = messages.at(-1)?.seq ?? 0;
    return message.seq <= last;
  };

  const openTimeline = async (id: string, again = false): Promise<void> => {
    const known = store.getState().timelines[id];
    if (known && known.status !== 'error' && !again) return;
    try {
      // The row first: its changeSeq is older than the messages, so that what happens in between is applied twice rather than never.
      const fresh = await api.getConversation(id);
      patch((state) => withConversation(state, fresh));
      patch((state) =>
        withTimeline(state, id, (timeline) => ({
          ...timeline,
          status: timeline.status === 'ready' ? 'ready' : 'loading',
        })),
      );
      const page = await api.listMessages(id, { limit: pageSize });
      patch((state) =>
        withTimeline(state, id, (timeline) => ({
          ...withNewestPage(timeline, page.messages, page.hasMore),
          changeSeq: fresh.changeSeq,
          unreadAfter: timeline.unreadAfter || fresh.readSeq,
        })),
      );
      if ((row(id)?.changeSeq ?? 0) > fresh.changeSeq) void catchUp(id);
      confirmDelivered(id);
    } catch (error) {
      patch((state) =>
        withTimeline(state, id, (timeline) =>
          timeline.status === 'ready' ? timeline : { ...timeline, status: 'error' },
        ),
      );
      throw error;
    }
  };

  /** Loads the first page of the list and brings open timelines up to date: at start and after every break. */
  const resync = async (): Promise<void> => {
    try {
      const page = await api.listConversations();
      for (const fresh of page.items) patch((state) => withConversation(state, fresh));
      if (store.getState().list !== 'ready') nextCursor = page.nextCursor;
      // What was told live before a break is older than what the rows say now.
      store.setState({ list: 'ready', presence: {} });
      for (const fresh of page.items) confirmDelivered(fresh.id);
      await Promise.all(Object.keys(store.getState().timelines).map((id) => catchUp(id)));
      askAgain.succeeded();
    } catch (error) {
      askAgain.later(error);
      if (store.getState().list === 'loading') store.setState({ list: 'error' });
    }
  };

  /** Whether the change is the next one of a loaded timeline; if not, something was missed. */
  const inOrder = (conversationId: string, changeSeq: number): void => {
    const timeline = store.getState().timelines[conversationId];
    if (timeline?.status !== 'ready' || changeSeq <= timeline.changeSeq) return;
    if (changeSeq > timeline.changeSeq + 1) void catchUp(conversationId);
    else patch((state) => withTimeline(state, conversationId, (current) => ({ ...current, changeSeq })));
  };

  const onMessage = (message: Message): void => {
    if (!row(message.conversationId)) return void loadRow(message.conversationId).catch(askAgain.later);
    receive(message);
    inOrder(message.conversationId, message.changeSeq);
    if (message.senderId === selfId) return;
    patch((state) => withTyping(state, message.conversationId, message.senderId, null));
    confirmDelivered(message.conversationId);
  };

  const onFrame = (frame: ServerFrame): void => {
    switch (frame.type) {
      case 'new_message':
      case 'message_updated':
        return onMessage(frame.data);
      case 'receipt': {
        const { conversationId, changeSeq, userId, deliveredSeq = 0, readSeq = 0 } = frame.data;
        if (userId) patch((state) => withReceipt(state, conversationId, { userId, changeSeq, deliveredSeq, readSeq }));
        return inOrder(conversationId, changeSeq);
      }
      case 'read_cursor':
        return patch((state) => withReadCursor(state, frame.data.conversationId, frame.data.readSeq));
      case 'conversation_created':
        return void loadRow(frame.data.conversationId).catch(askAgain.later);
      case 'typing_start':
      case 'typing_stop': {
        const { conversationId, userId } = frame.data;
        const until = frame.type === 'typing_start' ? timers.now() + limits.typingTimeoutMs + 1_000 : null;
        patch((state) => withTyping(state, conversationId, userId, until));
        if (until) timers.after(until - timers.now(), () => expireTyping(conversationId, userId));
        return;
      }
      case 'presence': {
        const { userId, presenceStatus, statusMessage } = frame.data;
        patch((state) => ({ presence: { ...state.presence, [userId]: { presenceStatus, statusMessage } } }));
        return onOtherFrame(frame);
      }
      case 'sync_required':
        return void resync();
      default:
        return onOtherFrame(frame);
    }
  };

  const expireTyping = (conversationId: string, userId: string): void => {
    const until = store.getState().typing[conversationId]?.[userId];
    if (until !== undefined && until <= timers.now()) patch((state) => withTyping(state, conversationId, userId, null));
  };

  const realtime = createRealtime({
    openSocket,
    timers,
    onFrame,
    onRefused,
    onStatus: (connection) => {
      store.setState({ connection });
      if (connection !== 'open') return;
      for (const conversationId of joined) realtime.send('join_conversation', { conversationId });
      outbox.flush();
      void resync();
    },
  });

  const setPending = (message: NewMessage, change: Parameters<typeof withPendingState>[2]): void =>
    patch((state) =>
      withTimeline(state, message.conversationId, (timeline) =>
        withPendingState(timeline, message.clientMessageId ?? '', change),
      ),
    );

  const outbox = createOutbox({
    send: (message) => api.sendMessage(message),
    failureOf,
    timers,
    onSending: (message) => setPending(message, { state: 'sending' }),
    onWaiting: (message) => setPending(message, { state: 'waiting' }),
    onFailed: (message, { code, message: text }) =>
      setPending(message, { state: 'failed', reason: { code, message: text } }),
    onSent: (message) => {
      receive(message);
      inOrder(message.conversationId, message.changeSeq);
    },
  });

  const stopTyping = (conversationId: string): void => {
    if (typingSent.delete(conversationId)) realtime.send('typing_stop', { conversationId });
  };

  const enqueue = (conversationId: string, content: string, clientMessageId: string): void => {
    patch((state) =>
      withTimeline(state, conversationId, (timeline) =>
        withPending(timeline, { clientMessageId, content, createdAt: timers.now(), state: 'sending' }),
      ),
    );
    outbox.add({ conversationId, content, clientMessageId, messageType: 'text', encryption: 'none' });
  };

  return {
    store,
    start(): void {
      realtime.start();
      void resync();
    },
    stop(): void {
      askAgain.stop();
      realtime.stop();
      outbox.stop();
    },
    /** The person asks, the network came back, or the page became visible. */
    retryConnection: () => realtime.retryNow(),
    /** Something outside of the conversations changed what their rows say: a contact's name, a block. */
    refresh: () => void resync(),
    reloadList(): void {
      store.setState({ list: 'loading' });
      void resync();
    },
    /** Loads the next page of the conversation list. */
    async loadMoreConversations(): Promise<void> {
      if (nextCursor === null || loadingMore) return;
      loadingMore = true;
      try {
        const page = await api.listConversations(nextCursor);
        for (const fresh of page.items) patch((state) => withConversation(state, fresh));
        nextCursor = page.nextCursor;
      } finally {
        loadingMore = false;
      }
    },
    /** Puts a row that a request answered with in the list. */
    addConversation: (conversation: Conversation) => patch((state) => withConversation(state, conversation)),
    /** Loads a conversation's newest page and scopes typing to it; `close` when it leaves the screen. Rejects with the request's error. */
    async open(conversationId: string): Promise<void> {
      joined.add(conversationId);
      realtime.send('join_conversation', { conversationId });
      patch((state) => {
        const timeline = state.timelines[conversationId];
        // Opening it again is a new visit: the marker stands where reading stopped last time.
        return timeline?.status === 'ready'
          ? withTimeline(state, conversationId, (current) => ({
              ...current,
              unreadAfter: state.conversations[conversationId]?.readSeq ?? 0,
            }))
          : {};
      });
      await openTimeline(conversationId);
    },
    close(conversationId: string): void {
      joined.delete(conversationId);
      stopTyping(conversationId);
      realtime.send('leave_conversation', { conversationId });
    },
    async loadOlder(conversationId: string): Promise<void> {
      const timeline = store.getState().timelines[conversationId];
      const first = timeline?.messages[0];
      if (!timeline?.hasOlder || timeline.loadingOlder || !first) return;
      patch((state) => withTimeline(state, conversationId, (current) => ({ ...current, loadingOlder: true })));
      try {
        const page = await api.listMessages(conversationId, { before: first.seq, limit: pageSize });
        patch((state) =>
          withTimeline(state, conversationId, (current) => withOlderPage(current, page.messages, page.hasMore)),
        );
      } catch (error) {
        patch((state) => withTimeline(state, conversationId, (current) => ({ ...current, loadingOlder: false })));
        throw error;
      }
    },
    send(conversationId: string, content: string): void {
      stopTyping(conversationId);
      enqueue(conversationId, content, newId());
    },
    /** Sends a refused message once more, as the same message. */
    retry(conversationId: string, clientMessageId: string): void {
      const message = store
        .getState()
        .timelines[conversationId]?.pending.find((one) => one.clientMessageId === clientMessageId);
      if (message?.state !== 'failed') return;
      patch((state) => withTimeline(state, conversationId, (timeline) => withoutPending(timeline, clientMessageId)));
      enqueue(conversationId, message.content, clientMessageId);
    },
    discard: (conversationId: string, clientMessageId: string) =>
      patch((state) => withTimeline(state, conversationId, (timeline) => withoutPending(timeline, clientMessageId))),
    async edit(messageId: string, content: string): Promise<void> {
      receive(await api.editMessage(messageId, content));
    },
    async remove(messageId: string): Promise<void> {
      receive(await api.deleteMessage(messageId));
    },
    /** Everything up to the newest message was on the screen. */
    markRead(conversationId: string): void {
      const current = row(conversationId);
      if (!current || current.readSeq >= current.lastSeq) return;
      const readSeq = current.lastSeq;
      patch((state) => withReadCursor(state, conversationId, readSeq));
      api.moveCursor(conversationId, { readSeq }).catch(() => {
        // The next message, or opening the conversation again, says it once more.
      });
    },
    /** A key was pressed in the composer, or its text was emptied. */
    typing(conversationId: string, active: boolean): void {
      if (!active) return stopTyping(conversationId);
      const last = typingSent.get(conversationId) ?? 0;
      if (timers.now() - last < typingRenewMs) return;
      typingSent.set(conversationId, timers.now());
      realtime.send('typing_start', { conversationId });
    },
  };
}
