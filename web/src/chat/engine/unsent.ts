import type { ChatCore } from './chatCore.ts';
import { withTimeline } from './chatStore.ts';
import { fromDevice } from './fromDevice.ts';
import type { UnsentMessage } from './ports.ts';
import { withoutPending, withPending, withPendingState, type PendingMessage, type Timeline } from './timeline.ts';

export type Unsent = ReturnType<typeof createUnsent>;

/** Whether what it carries is on this device alone. */
export function hasFilesHere({ extras }: UnsentMessage): boolean {
  return extras?.media?.fields === null;
}

/** What was written and has not left: as this tab knows it, as it is shown, and as the device keeps it. */
export function createUnsent({ device, patch, store, tabs, timers }: ChatCore) {
  /** What was written here and has not left yet: for the next tab that sends, where it could not be stored. */
  const own = new Map<string, UnsentMessage>();
  const settled = new Set<string>();

  /** A refused or silent storage leaves the message in memory. */
  const within = <T>(request: Promise<T> | undefined) => fromDevice(timers, request);

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

  return {
    own,
    settled,
    show,
    hide: (message: UnsentMessage): void => change(message, withoutPending),
    /** Shows it here and in all other tabs. */
    tell(message: UnsentMessage | undefined, state: PendingMessage['state']): void {
      if (!message) return;
      show(message, state);
      tabs?.tell({ type: 'state', message, state });
    },
    /** The message of this id as it stands in the timeline, while it can still be taken back. */
    heldBack(conversationId: string, clientMessageId: string): UnsentMessage | undefined {
      const { timelines } = store.getState();
      const pending = timelines[conversationId]?.pending.find((one) => one.clientMessageId === clientMessageId);
      if (!pending) return undefined;
      const { content, createdAt, extras } = pending;
      const message = { conversationId, clientMessageId, content, createdAt, ...(extras && { extras }), refused: null };
      return pending.state === 'failed' || hasFilesHere(message) ? message : undefined;
    },
    list: async () => (await within(device?.listUnsent())) ?? [],
    store: (message: UnsentMessage) => within(device?.putUnsent(message)),
    remove: (clientMessageId: string) => within(device?.removeUnsent(clientMessageId)),
  };
}
