import type { Message } from '@nolo/api';
import { createLazyMessageFileUploader } from './lazyMessageFileUploader.ts';
import type { ChatCore } from './chatCore.ts';
import { withTimeline } from './chatStore.ts';
import type { ChatSync } from './chatSync.ts';
import type { MediaFiles, MessageExtras, TabMessage, UnsentMessage } from './ports.ts';
import { createServerSender } from './serverSender.ts';
import { withoutPending } from './timeline.ts';
import { createUnsentMessages, hasLocalFiles, isBeforeChange, type UnsentMessages } from './unsent.ts';

/** Runs tasks one after another, so that messages written fast keep their order. */
function createSerialQueue() {
  let tail: Promise<unknown> = Promise.resolve();
  let stopped = false;
  return {
    add(task: () => Promise<void> | void): void {
      tail = tail.then(() => (stopped ? undefined : task()));
    },
    idle: (): Promise<unknown> => tail,
    stop(): void {
      stopped = true;
    },
  };
}

/** Moves a stored message from pending to the timeline. */
function createArrival({ patch }: ChatCore, sync: ChatSync, { own }: UnsentMessages) {
  return (message: Message): void => {
    const id = message.clientMessageId ?? '';
    own.delete(id);
    patch((state) =>
      state.timelines[message.conversationId]
        ? withTimeline(state, message.conversationId, (timeline) => withoutPending(timeline, id))
        : {},
    );
    sync.receive(message);
    sync.inOrder(message.conversationId, message.changeSeq);
  };
}

/**
 * Manages pending messages. Each is stored on the device before it is sent, so that neither a reload nor a killed
 * browser loses it. One tab of the account sends, and the others follow its progress.
 */
export function createMessageSender(core: ChatCore, sync: ChatSync) {
  const { device, newId, tabs, timers } = core;
  const unsent = createUnsentMessages(core);
  const { own, settled, show, hide } = unsent;
  const arrive = createArrival(core, sync, unsent);
  // Sending starts immediately without a device or other tabs.
  let leading = !tabs && !device;
  const sendQueue = createSerialQueue();

  const files = createLazyMessageFileUploader(core, unsent, {
    onRefused: (message, failure) => sender.refuse(message, failure),
    onBrought: (message) => write(message),
  });
  const sender = createServerSender(core, unsent, { bring: files.bring, onSent: arrive });

  const lead = (): void =>
    sendQueue.add(async () => {
      const stored = await unsent.list();
      leading = true;
      for (const message of stored) {
        if (message.refused === null) sender.take(message);
        else show(message, 'failed');
      }
      for (const message of own.values()) sender.take(message);
      tabs?.broadcast({ type: 'leading' });
    });

  /** Resolves once the device has stored it and the sending tab is notified. */
  const write = async (message: UnsentMessage): Promise<void> => {
    own.set(message.clientMessageId, message);
    settled.delete(message.clientMessageId);
    show(message, 'sending');
    sendQueue.add(async () => {
      await unsent.store(message);
      tabs?.broadcast({ type: 'written', message });
      // The tab that has the files uploads them.
      if (leading || hasLocalFiles(message)) sender.take(message);
    });
    await sendQueue.idle();
  };

  const drop = (message: UnsentMessage): void => {
    const { clientMessageId } = message;
    own.delete(clientMessageId);
    settled.add(clientMessageId);
    files.drop(clientMessageId);
    sender.drop(message);
  };

  const flush = (): void => {
    sender.flush();
    files.flush();
  };

  const onNews = (news: TabMessage): void => {
    switch (news.type) {
      case 'written':
        show(news.message, 'sending');
        // Queued: while this tab takes over, its stored list may or may not include messages written by others
        // meanwhile.
        return sendQueue.add(() => {
          if (leading) sender.take(news.message);
        });
      case 'state':
        if (news.state === 'failed') own.delete(news.message.clientMessageId);
        return show(news.message, news.state, news.heldBy);
      case 'sent':
        return arrive(news.message);
      case 'discarded':
        drop(news.message);
        return hide(news.message);
      case 'leading':
        for (const message of own.values()) tabs?.broadcast({ type: 'written', message });
        return;
      case 'flush':
        return flush();
    }
  };

  return {
    start(): void {
      tabs?.listen(onNews);
      if (tabs) tabs.lead(lead);
      else lead();
    },
    stop(): void {
      sendQueue.stop();
      sender.stop();
      files.stop();
      tabs?.close();
    },
    /** Continues with what a sealed conversation held back; null: all of them. */
    resume: (conversationId: string | null) => sender.resume(conversationId),
    /** Retries all waiting messages immediately after reconnecting, in the sending tab. */
    flush(): void {
      flush();
      tabs?.broadcast({ type: 'flush' });
    },
    /** Returns the id of the sent message. Pass `id` if it already exists. */
    send(conversationId: string, content: string, extras?: MessageExtras, media?: MediaFiles, id = newId()): string {
      const message = { conversationId, content, clientMessageId: id, createdAt: timers.now(), refused: null };
      if (media) files.hold(id, media);
      void write({ ...message, ...(extras && { extras }) });
      return id;
    },
    /**
     * Retries a rejected message under the same id. Sends one that waits for a tap, with those before it that wait for
     * the same.
     */
    retry(conversationId: string, clientMessageId: string): void {
      const { pending } = core.store.getState().timelines[conversationId] ?? { pending: [] };
      const at = pending.findIndex((one) => one.clientMessageId === clientMessageId);
      for (const one of pending.slice(0, at + 1)) {
        if (one.clientMessageId !== clientMessageId && !isBeforeChange(one)) continue;
        const message = unsent.takeUnapproved(conversationId, one.clientMessageId);
        if (!message) continue;
        if (message.tappedAt === undefined) hide(message);
        void write(message);
      }
    },
    /** Discards a message that was rejected or whose files are still uploading. */
    discard(conversationId: string, clientMessageId: string): void {
      const message = unsent.takeUnapproved(conversationId, clientMessageId);
      if (!message) return;
      drop(message);
      hide(message);
      tabs?.broadcast({ type: 'discarded', message });
      sendQueue.add(async () => void (await unsent.remove(clientMessageId)));
    },
  };
}
