import type { ChatCore } from './chatCore.ts';
import { withTimeline } from './chatStore.ts';
import { readFromDevice } from './readFromDevice.ts';
import type { HeldState, UnsentMessage } from './ports.ts';
import { withoutPending, withPending, withPendingState, type PendingMessage, type Timeline } from './timeline.ts';

export type UnsentMessages = ReturnType<typeof createUnsentMessages>;

/** Returns true if the message's files are only on this device. */
export function hasLocalFiles({ extras }: UnsentMessage): boolean {
  return extras?.media?.fields === null;
}

/** Returns true if a message waits for a tap, because people changed since it was written. */
export const isBeforeChange = ({ heldBy }: Pick<PendingMessage, 'heldBy'>): boolean =>
  heldBy?.state === 'written_before';

/** Tracks unsent messages: in this tab, on the screen, and on the device. */
export function createUnsentMessages({ device, patch, store, tabs, timers }: ChatCore) {
  /** Unsent messages from this tab, for the next sending tab if they could not be stored. */
  const own = new Map<string, UnsentMessage>();
  const settled = new Set<string>();

  /** If storage fails or does not respond, the message stays in memory. */
  const within = <T>(request: Promise<T> | undefined) => readFromDevice(timers, request);

  const change = (message: UnsentMessage, update: (timeline: Timeline, id: string) => Timeline): void =>
    patch((state) =>
      withTimeline(state, message.conversationId, (timeline) => update(timeline, message.clientMessageId)),
    );

  /** Shows the message as the user's pending one, from any tab. */
  const show = (message: UnsentMessage, state: PendingMessage['state'], heldBy?: HeldState): void => {
    const { clientMessageId, content, createdAt, extras, refused } = message;
    const pending = {
      clientMessageId,
      content,
      createdAt,
      state,
      heldBy,
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
    /** Shows the state here and in all other tabs. */
    showInAllTabs(message: UnsentMessage | undefined, state: PendingMessage['state'], heldBy?: HeldState): void {
      if (!message) return;
      show(message, state, heldBy);
      tabs?.broadcast({ type: 'state', message, state, heldBy });
    },
    /** Returns the message from the timeline if it can still be discarded, or waits for a tap. */
    takeUnapproved(conversationId: string, clientMessageId: string): UnsentMessage | undefined {
      const { timelines } = store.getState();
      const pending = timelines[conversationId]?.pending.find((one) => one.clientMessageId === clientMessageId);
      if (!pending) return undefined;
      const { content, createdAt, extras } = pending;
      const message = { conversationId, clientMessageId, content, createdAt, ...(extras && { extras }), refused: null };
      if (isBeforeChange(pending)) return { ...message, tappedAt: timers.now() };
      return pending.state === 'failed' || hasLocalFiles(message) ? message : undefined;
    },
    list: async () => (await within(device?.listUnsent())) ?? [],
    store: (message: UnsentMessage) => within(device?.putUnsent(message)),
    remove: (clientMessageId: string) => within(device?.removeUnsent(clientMessageId)),
  };
}
