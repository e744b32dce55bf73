import type { Message, NewMessage } from '@nolo/api';
import type { ChatCore } from './chatCore.ts';
import type { ChatSync } from './chatSync.ts';
import { withTimeline } from './chatStore.ts';
import { fromDevice } from './fromDevice.ts';
import { createOutbox } from './outbox.ts';
import { type SendFailure } from '../../api/ports.ts';
import type { MediaFiles, MessageExtras, TabNews, UnsentMessage, Uploads } from './ports.ts';
import { withoutPending, withPending, withPendingState, type PendingMessage, type Timeline } from './timeline.ts';

/** What a message brings, as it travels. */
function fieldsOf({
  media,
  replyTo,
  forwarded,
  mentions,
  linkPreview,
  hasLink,
  extra,
}: MessageExtras = {}): Partial<NewMessage> {
  return {
    ...media?.fields,
    ...(replyTo && { replyToSeq: replyTo.seq }),
    ...(forwarded && { forwarded }),
    ...(mentions && mentions.length > 0 && { mentions: [...mentions] }),
    ...(linkPreview && { linkPreview }),
    ...(hasLink && { hasLink }),
    ...(extra && { extra }),
  };
}

/** Whether what it carries is on this device alone. */
function hasFilesHere({ extras }: UnsentMessage): boolean {
  return extras?.media?.fields === null;
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
  const within = <T>(request: Promise<T> | undefined) => fromDevice(timers, request);

  /* One after the other, so that what is written fast keeps its order. */
  let tail: Promise<unknown> = Promise.resolve();
  const inTurn = (task: () => Promise<void> | void): void => {
    tail = tail.then(() => (stopped ? undefined : task()));
  };

  const tell = (message: UnsentMessage | undefined, state: PendingMessage['state']): void => {
    if (!message) return;
    show(message, state);
    tabs?.tell({ type: 'state', message, state });
  };
  const takenOf = ({ clientMessageId = '' }: NewMessage): UnsentMessage | undefined => taken.get(clientMessageId);

  const refuse = (message: UnsentMessage | undefined, { code, message: text }: SendFailure): void => {
    if (!message) return;
    const refused = { ...message, refused: { code, message: text } };
    tell(refused, 'failed');
    taken.delete(message.clientMessageId);
    own.delete(message.clientMessageId);
    void within(device?.putUnsent(refused));
  };

  /* Files go to the server before the message that carries them, and words do not wait for them. */
  let uploads: Promise<Uploads> | undefined;
  const filesHere = new Map<string, MediaFiles>();
  const bring = (message: UnsentMessage): void => {
    uploads ??= core.loadUploads?.({
      onSending: (one) => tell(one, 'sending'),
      onWaiting: (one) => tell(one, 'waiting'),
      onRefused: refuse,
      onBrought: (one) => {
        filesHere.delete(one.clientMessageId);
        return write(one);
      },
    });
    uploads?.then(
      (loaded) => {
        const id = message.clientMessageId;
        if (!stopped && !settled.has(id)) loaded.bring(message, filesHere.get(id));
      },
      () => {
        // The part of the app that does it did not come over the line: it is asked for again when that is back.
        uploads = undefined;
        own.set(message.clientMessageId, message);
        tell(message, 'waiting');
      },
    );
  };
  const withUploads = (act: (loaded: Uploads) => void): void => void uploads?.then(act, () => {});

  const outbox = createOutbox({
    send: (message) => api.sendMessage(message),
    failureOf,
    timers,
    onSending: (message) => tell(takenOf(message), 'sending'),
    onWaiting: (message) => tell(takenOf(message), 'waiting'),
    onFailed: (message, failure) => refuse(takenOf(message), failure),
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
    if (hasFilesHere(message)) return bring(message);
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
        drop(news.message.clientMessageId);
        return hide(news.message);
      case 'leading':
        for (const message of own.values()) tabs?.tell({ type: 'written', message });
        return;
      case 'flush':
        return flush();
    }
  };

  /** Resolves once the device has it and the tab that sends knows of it. */
  const write = async (message: UnsentMessage): Promise<void> => {
    own.set(message.clientMessageId, message);
    settled.delete(message.clientMessageId);
    show(message, 'sending');
    inTurn(async () => {
      await within(device?.putUnsent(message));
      tabs?.tell({ type: 'written', message });
      // Files are brought up by the tab that has them.
      if (leading || hasFilesHere(message)) take(message);
    });
    await tail;
  };

  /** The message of this id as it stands in the timeline, while it can still be taken back. */
  const heldBack = (conversationId: string, clientMessageId: string): UnsentMessage | undefined => {
    const { timelines } = core.store.getState();
    const pending = timelines[conversationId]?.pending.find((one) => one.clientMessageId === clientMessageId);
    if (!pending) return undefined;
    const { content, createdAt, extras } = pending;
    const message = { conversationId, clientMessageId, content, createdAt, ...(extras && { extras }), refused: null };
    return pending.state === 'failed' || hasFilesHere(message) ? message : undefined;
  };

  const drop = (clientMessageId: string): void => {
    own.delete(clientMessageId);
    filesHere.delete(clientMessageId);
    settled.add(clientMessageId);
    withUploads((loaded) => loaded.drop(clientMessageId));
  };

  const flush = (): void => {
    outbox.flush();
    withUploads((loaded) => loaded.flush());
    if (!uploads) for (const message of own.values()) if (hasFilesHere(message)) bring(message);
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
      withUploads((loaded) => loaded.stop());
      tabs?.close();
    },
    /** The line is back: whatever waits is tried at once, in whichever tab it does. */
    flush(): void {
      flush();
      tabs?.tell({ type: 'flush' });
    },
    /** Answers with the id under which it goes; `id` where it was made before. */
    send(conversationId: string, content: string, extras?: MessageExtras, files?: MediaFiles, id = newId()): string {
      const message = { conversationId, content, clientMessageId: id, createdAt: timers.now(), refused: null };
      if (files) filesHere.set(id, files);
      void write({ ...message, ...(extras && { extras }) });
      return id;
    },
    /** Sends a refused message once more, as the same message. */
    retry(conversationId: string, clientMessageId: string): void {
      const message = heldBack(conversationId, clientMessageId);
      if (!message) return;
      hide(message);
      void write(message);
    },
    /** Takes a message back that was refused, or whose files are still on their way. */
    discard(conversationId: string, clientMessageId: string): void {
      const message = heldBack(conversationId, clientMessageId);
      if (!message) return;
      drop(clientMessageId);
      hide(message);
      tabs?.tell({ type: 'discarded', message });
      inTurn(async () => void (await within(device?.removeUnsent(clientMessageId))));
    },
  };
}
