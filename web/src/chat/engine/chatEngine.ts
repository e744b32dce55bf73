import type { Conversation } from '@nolo/api';
import { createChatCore, type ChatDependencies } from './chatCore.ts';
import { withReadCursor } from './chatStore.ts';
import { createChatSync } from './chatSync.ts';
import { createCursors } from './cursors.ts';
import { createPersistence } from './persistence.ts';
import { createExpiry } from './expiry.ts';
import { createLiveFrames } from './liveFrames.ts';
import { withPeople, type KnownPerson } from './people.ts';
import type { MediaFiles, MessageExtras } from './ports.ts';
import { createRealtime } from '../../api/realtime.ts';
import { createSending } from './sending.ts';
import { createSocketLine, type SocketLine } from '../../api/socketRequests.ts';
import { withoutWindow } from './window.ts';
import { createVisits } from './visits.ts';

export type ChatEngine = ReturnType<typeof createChatEngine>;

/**
 * Keeps the chat state true: loads, sends, applies live frames in the order of `changeSeq`, and after every break asks
 * for what was missed. With a device it begins from what that kept, and keeps what it learns there.
 */
export function createChatEngine(dependencies: ChatDependencies) {
  const core = createChatCore(dependencies);
  const { api, device, names, openSocket, onRefused, patch, row, store, timers } = core;
  const line = createSocketLine({
    timers,
    write: (frame) => realtime.write(frame),
  });
  const cursors = createCursors(core, line);
  const sync = createChatSync(core, cursors);
  const sending = createSending(core, sync);
  const persistence = device && createPersistence(core, sync, device);
  const expiry = createExpiry(core, device);

  const onFrame = createLiveFrames(core, sync, cursors);
  const realtime = createRealtime({
    openSocket,
    timers,
    onFrame: (frame) => {
      line.receive(frame);
      onFrame(frame);
    },
    onRefused,
    onStatus: (connection) => {
      store.setState({ connection });
      line.setOpen(connection === 'open');
      if (connection !== 'open') return;
      visits.rejoin();
      sending.flush();
      cursors.again();
      void sync.resync();
      persistence?.freshenLater();
    },
  });

  const visits = createVisits(core, sync, realtime);

  return {
    store,
    /** For what comes with a conversation that is opened: conversationActions.ts. */
    parts: { core, sync },
    /** The socket for what has a protocol of its own: meetings and calls. */
    line: line as SocketLine,
    start(): void {
      sending.start();
      expiry.start();
      realtime.start();
      // A socket that was open already says hello before that, and its hello asks for everything.
      queueMicrotask(() => {
        if (store.getState().connection !== 'open') void sync.resync();
      });
    },
    stop(): void {
      sync.stop();
      realtime.stop();
      sending.stop();
      expiry.stop();
      persistence?.stop();
    },
    /** Stores what has changed on the device now: the page may be about to go. */
    keepNow: () => void persistence?.write(),
    /** The person asks, the network came back, or the page became visible. */
    retryConnection: () => realtime.retryNow(),
    /** Something outside of the conversations changed what their rows say: a contact's name, a block. */
    refresh: () => void sync.resync(),
    reloadList(): void {
      store.setState({ list: 'loading' });
      void sync.resync();
    },
    loadMoreConversations: () => sync.loadMore(),
    /** Somebody is shown whose name was not told. */
    wantNames: (userIds: readonly string[]) => names.want(userIds),
    /** People were named in an answer to something else: a page of members. */
    learnPeople: (people: readonly KnownPerson[]) => patch((state) => ({ people: withPeople(state.people, people) })),
    /** One left it here; the frame that says so may be on its way. */
    forgetConversation: (conversationId: string) => sync.forget(conversationId),
    /** Puts a row that a request answered with in the list. */
    /** A conversation as the server has just told it. */
    addConversation: (conversation: Conversation) => sync.bring(conversation),
    open: visits.open,
    close: visits.close,
    loadOlder: (conversationId: string) => sync.loadOlder(conversationId),
    send(conversationId: string, content: string, extras?: MessageExtras, files?: MediaFiles, id?: string): string {
      visits.stopTyping(conversationId);
      patch((state) => withoutWindow(state, conversationId));
      return sending.send(conversationId, content, extras, files, id);
    },
    retry: sending.retry,
    discard: sending.discard,
    async edit(messageId: string, content: string, extras?: MessageExtras): Promise<void> {
      sync.receive(await api.editMessage(messageId, content, extras));
    },
    async remove(messageId: string): Promise<void> {
      sync.receive(await api.deleteMessage(messageId));
    },
    /** Everything up to the newest message was on the screen. */
    markRead(conversationId: string): void {
      const current = row(conversationId);
      if (!current || current.readSeq >= current.lastSeq) return;
      const readSeq = current.lastSeq;
      patch((state) => withReadCursor(state, conversationId, readSeq));
      cursors.read(conversationId, readSeq);
    },
    typing: visits.typing,
  };
}
