import type { Message, NewMessage } from '@nolo/api';
import type { ChatCore } from './chatCore.ts';
import type { ChatSync } from './chatSync.ts';
import { withTimeline } from './chatStore.ts';
import { createOutbox } from './outbox.ts';
import type { MessageExtras, TabNews, UnsentMessage } from './ports.ts';
import { withoutPending, withPending, withPendingState, type PendingMessage, type Timeline } from './timeline.ts';

/** A storage that takes longer than this to answer is taken for none. */
const storageTimeoutMs = 2_000;

/** What a message brings, as it travels. */
function fieldsOf({ replyTo, forwarded, mentions, linkPreview, hasLink }: MessageExtras = {}): Partial<NewMessage> {
  return {
    ...(replyTo && { replyToSeq: replyTo.seq }),
    ...(forwarded && { forwarded }),
    ...(mentions && mentions.length > 0 && { mentions: [...mentions] }),
    ...(linkPreview && { linkPreview }),
    ...(hasLink && { hasLink }),
  };
}

/**
 * Messages on their way. Each is stored on the device before it leaves, so that neither a reload nor a killed browser
 * loses it; of all tabs of the account one sends, and the others see how it goes.
 */
export function createSending(core: ChatCore, sync: ChatSync) {
  const { api, device, failureOf, newId, patch, tabs, timers } = core;
  /** What was written here and has not left yet: for the next tab that sends, where it could not be stored. */
  const own = new Map<string, UnsentMessage>();
  /** What this tab, as the one that sends, has to do with. */
  const taken = new Map<string, UnsentMessage>();
  const settled = new Set<string>();
  // Where nothing is kept and nobody else sends, there is nothing to wait for.
  let leading = !tabs && !device;
  let stopped = false;

  const change = (message: UnsentMessage, update: (timeline: Timeline, id: string) => Timeline): void =>
    patch((state) =>
      withTimeline(state, message.conversationId, (timeline) => update(timeline, message.clientMessageId)),
    );

  /** Shows the message as one of one's own that has not left, whichever tab it was written in. */
  const show = (message: UnsentMessage, state: PendingMessage['state']): void => {
    const { clientMessageId, content, createdAt, extras, refused } = message;
    const pending = {
      clientMessageId,
      content,
      createdAt,
      state,
      ...(extras && { extras }),
      ...(refused && { reason: refused }),
    };
    change(message, (timeline, id) => {
      const known = timeline.pending.some((one) => one.clientMessageId === id);
      const arrived = timeline.messages.some((one) => one.clientMessageId === id);
      if (arrived) return timeline;
      return known ? withPendingState(timeline, id, pending) : withPending(timeline, pending);
    });
  };

  const hide = (message: UnsentMessage): void => change(message, withoutPending);

  const arrive = (message: Message): void => {
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

  /** A refused or silent storage leaves the message in memory. */
  const within = async <T>(request: Promise<T> | undefined): Promise<T | undefined> => {
    if (!request) return undefined;
    let cancel = () => {};
    const timeout = new Promise<undefined>((resolve) => {
      cancel = timers.after(storageTimeoutMs, () => resolve(undefined));
    });
    return Promise.race([request.catch(() => undefined), timeout]).finally(() => cancel());
  };

  /* One after the other, so that what is written fast keeps its order. */
  let tail: Promise<unknown> = Promise.resolve();
  const inTurn = (task: () => Promise<void> | void): void => {
    tail = tail.then(() => (stopped ? undefined : task()));
  };

  const tellState = (message: NewMessage, state: 'sending' | 'waiting' | 'failed'): void => {
    const unsent = taken.get(message.clientMessageId ?? '');
    if (!unsent) return;
    show(unsent, state);
    tabs?.tell({ type: 'state', message: unsent, state });
  };

  const outbox = createOutbox({
    send: (message) => api.sendMessage(message),
    failureOf,
    timers,
    onSending: (message) => tellState(message, 'sending'),
    onWaiting: (message) => tellState(message, 'waiting'),
    onFailed: (message, { code, message: text }) => {
      const id = message.clientMessageId ?? '';
      const unsent = taken.get(id);
      if (!unsent) return;
      const refused = { ...unsent, refused: { code, message: text } };
      taken.set(id, refused);
      tellState(message, 'failed');
      taken.delete(id);
      own.delete(id);
      void within(device?.putUnsent(refused));
    },
    onHeld: ({ clientMessageId: id = '', conversationId }) => {
      const unsent = taken.get(id);
      own.delete(id);
      taken.delete(id);
      settled.add(id);
      void within(device?.removeUnsent(id));
      // The server tells the exact number, on every device, and may have done so already.
      patch(({ heldMessages }) => ({
        heldMessages: { ...heldMessages, [conversationId]: Math.max(heldMessages[conversationId] ?? 0, 1) },
      }));
      if (!unsent) return;
      hide(unsent);
      tabs?.tell({ type: 'discarded', message: unsent });
    },
    onSent: (message) => {
      const id = message.clientMessageId ?? '';
      taken.delete(id);
      settled.add(id);
      void within(device?.removeUnsent(id));
      tabs?.tell({ type: 'sent', message });
      arrive(message);
    },
  });

  const take = (message: UnsentMessage): void => {
    const { clientMessageId, conversationId, content, extras } = message;
    if (taken.has(clientMessageId) || settled.has(clientMessageId)) return;
    taken.set(clientMessageId, message);
    outbox.add({
      conversationId,
      content,
      clientMessageId,
      messageType: 'text',
      encryption: 'none',
      ...fieldsOf(extras),
    });
  };

  const lead = (): void =>
    inTurn(async () => {
      const stored = (await within(device?.listUnsent())) ?? [];
      leading = true;
      for (const message of stored) {
        if (message.refused === null) take(message);
        else show(message, 'failed');
      }
      for (const message of own.values()) take(message);
      tabs?.tell({ type: 'leading' });
    });

  const onNews = (news: TabNews): void => {
    switch (news.type) {
      case 'written':
        show(news.message, 'sending');
        // In turn: while this tab takes over, what others write meanwhile may or may not be among what it finds.
        return inTurn(() => {
          if (leading) take(news.message);
        });
      case 'state':
        if (news.state === 'failed') own.delete(news.message.clientMessageId);
        return show(news.message, news.state);
      case 'sent':
        return arrive(news.message);
      case 'discarded':
        settled.add(news.message.clientMessageId);
        return hide(news.message);
      case 'leading':
        for (const message of own.values()) tabs?.tell({ type: 'written', message });
        return;
      case 'flush':
        return outbox.flush();
    }
  };

  const write = (message: UnsentMessage): void => {
    own.set(message.clientMessageId, message);
    settled.delete(message.clientMessageId);
    show(message, 'sending');
    inTurn(async () => {
      await within(device?.putUnsent(message));
      tabs?.tell({ type: 'written', message });
      if (leading) take(message);
    });
  };

  /** The refused message of this id, as it stands in the timeline. */
  const refusedOf = (conversationId: string, clientMessageId: string): UnsentMessage | undefined => {
    const { timelines } = core.store.getState();
    const pending = timelines[conversationId]?.pending.find((one) => one.clientMessageId === clientMessageId);
    if (pending?.state !== 'failed') return undefined;
    const { content, createdAt, extras } = pending;
    return { conversationId, clientMessageId, content, createdAt, ...(extras && { extras }), refused: null };
  };

  return {
    start(): void {
      tabs?.listen(onNews);
      if (tabs) tabs.lead(lead);
      else lead();
    },
    stop(): void {
      stopped = true;
      outbox.stop();
      tabs?.close();
    },
    /** The line is back: whatever waits is tried at once, in whichever tab it does. */
    flush(): void {
      outbox.flush();
      tabs?.tell({ type: 'flush' });
    },
    send: (conversationId: string, content: string, extras?: MessageExtras): void =>
      write({
        conversationId,
        content,
        clientMessageId: newId(),
        createdAt: timers.now(),
        ...(extras && { extras }),
        refused: null,
      }),
    /** Sends a refused message once more, as the same message. */
    retry(conversationId: string, clientMessageId: string): void {
      const message = refusedOf(conversationId, clientMessageId);
      if (!message) return;
      hide(message);
      write(message);
    },
    discard(conversationId: string, clientMessageId: string): void {
      const message = refusedOf(conversationId, clientMessageId);
      if (!message) return;
      own.delete(clientMessageId);
      settled.add(clientMessageId);
      hide(message);
      tabs?.tell({ type: 'discarded', message });
      inTurn(async () => void (await within(device?.removeUnsent(clientMessageId))));
    },
  };
}
