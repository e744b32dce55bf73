import type { Message } from '@nolo/api';
import type { OpenedRow } from '../keys/conversations/rowTypes.ts';
import type { Conversations } from '../keys/conversations/types.ts';
import type { ChatBase } from './chatBase.ts';
import { hasCode } from './heldError.ts';
import { openingOf, unopenedRow, type StoredMessage } from './rowOpening.ts';
import { asSent, openRow } from './rowForms.ts';
import { isSaidToBeSealed, peopleOf } from './sealedKnowledge.ts';
import { wasSealed } from './sealedRows.ts';
import type { ChatState } from './state.ts';

/** Rows that the port opens at once. */
const pageSize = 50;
/** Milliseconds after which rows are opened again if the server could not be asked. */
const retryMs = 5_000;

export type RowOpener = ReturnType<typeof createRowOpener>;

const keyOf = ({ id, changeSeq }: Message): string => `${id} ${changeSeq}`;

/** Returns all rows of a conversation in memory. */
function rowsOf(state: ChatState, id: string): StoredMessage[] {
  const { lastMessage } = state.conversations[id] ?? {};
  return [
    ...(state.timelines[id]?.messages ?? []),
    ...(state.windows[id]?.messages ?? []),
    ...Object.values(state.originals[id] ?? {}).flatMap((one) => one ?? []),
    ...(lastMessage ? [lastMessage] : []),
  ];
}

/** Returns true if a row was not opened in its present state. With `again`, also if that failed before. */
function isUnopened(message: StoredMessage, isInSealed: boolean, again: boolean): boolean {
  const { hidden, opening } = message;
  if (hidden) return false;
  if (!opening) return isInSealed || wasSealed(message);
  if (unopenedRow(message) === undefined) return false;
  return again || opening.state === 'closed' || opening.state === 'open' || opening.state === 'plain';
}

/** Replaces rows by their opened form wherever they are in memory, unless they changed meanwhile. */
function withOpened(state: ChatState, id: string, opened: readonly StoredMessage[]): Partial<ChatState> {
  const byKey = new Map(opened.map((message) => [keyOf(message), message]));
  const replace = <M extends Message | null>(message: M): M => {
    const fresh = message && byKey.get(keyOf(message));
    return fresh ? { ...message, ...fresh } : message;
  };
  const replaceIn = <T extends { readonly messages: readonly Message[] }>(list: T | undefined): T | undefined =>
    list?.messages.some((message) => byKey.has(keyOf(message)))
      ? { ...list, messages: list.messages.map(replace) }
      : undefined;
  const row = state.conversations[id];
  const lastMessage = row && replace(row.lastMessage);
  const [timeline, window] = [replaceIn(state.timelines[id]), replaceIn(state.windows[id])];
  const originals = state.originals[id];
  return {
    ...(row &&
      lastMessage &&
      lastMessage !== row.lastMessage && {
        conversations: { ...state.conversations, [id]: { ...row, lastMessage } },
      }),
    ...(timeline && { timelines: { ...state.timelines, [id]: timeline } }),
    ...(window && { windows: { ...state.windows, [id]: window } }),
    ...(originals && {
      originals: {
        ...state.originals,
        [id]: Object.fromEntries(Object.entries(originals).map(([seq, one]) => [seq, replace(one)])),
      },
    }),
  };
}

/** Returns an opened row with the time at which it disappears by an earlier opening, if that is sooner. */
function withSooner(known: StoredMessage, opened: StoredMessage): StoredMessage {
  const wasOpen = known.opening?.state === 'open' && opened.opening?.state === 'open';
  const isSooner = (known.expiresAt ?? '9') < (opened.expiresAt ?? '');
  return wasOpen && isSooner ? { ...opened, expiresAt: known.expiresAt } : opened;
}

/** Returns rows as they are shown while this device has no keys. What was open stays. */
const withoutKeys = (queue: ReadonlyMap<string, StoredMessage>): StoredMessage[] =>
  [...queue.values()]
    .filter((row) => openingOf(row)?.state === 'closed')
    .map((row) => openRow(asSent(row), { messageId: row.id, state: 'waiting' }));

/** Opens rows of sealed conversations, those in memory in place. The newest come first. */
export function createRowOpener({ patch, store, timers, watchers }: ChatBase, port: Conversations) {
  /** Rows to open, by conversation and key. */
  const queues = new Map<string, Map<string, StoredMessage>>();
  const running = new Set<string>();
  const again = new Set<string>();

  const openPage = async (id: string, rows: readonly StoredMessage[]): Promise<StoredMessage[]> => {
    // Rows get their answers by place: the server could serve two under one id, and mix up their texts.
    const found = await port.open(id, rows.map(asSent));
    const state = store.getState();
    const known = state.conversations[id];
    const people = known && peopleOf(state, known);
    return rows.map((row, at) => {
      const opened = found[at];
      if (opened?.state === 'open' && people?.has(row.senderId) === false)
        return openRow(asSent(row), { messageId: row.id, state: 'refused', reason: 'device' });
      // A row without an answer waits, like one without a key, because asking again at once would never end.
      const answer: OpenedRow = opened?.messageId === row.id ? opened : { messageId: row.id, state: 'waiting' };
      return withSooner(row, openRow(asSent(row), answer));
    });
  };

  let onIdle = (_id: string): void => undefined;
  const isIdle = (id: string): boolean => !running.has(id) && (queues.get(id)?.size ?? 0) === 0;

  const openQueue = async (id: string, queue: Map<string, StoredMessage>): Promise<void> => {
    while (queue.size > 0) {
      const rows = [...queue.values()].toSorted((a, b) => b.seq - a.seq).slice(0, pageSize);
      const opened = await openPage(id, rows.toReversed());
      for (const row of rows) queue.delete(keyOf(row));
      patch((state) => withOpened(state, id, opened));
      for (const watcher of watchers) watcher.onMessages(opened);
    }
  };

  const run = (id: string): void => {
    const queue = queues.get(id);
    if (!queue?.size || running.has(id)) return;
    running.add(id);
    openQueue(id, queue)
      .catch((error: unknown) => {
        // Time does not change that keys are missing. Otherwise the rows are found in the store again.
        if (hasCode(error, 'not_ready')) patch((state) => withOpened(state, id, withoutKeys(queue)));
        else timers.after(retryMs, () => collect(id));
        queue.clear();
      })
      .finally(() => {
        running.delete(id);
        if (again.delete(id)) collect(id, true);
        else run(id);
        if (isIdle(id)) onIdle(id);
      });
  };

  /** Queues the rows of a conversation that are not open. */
  const collect = (id: string, healing = false): void => {
    const state = store.getState();
    const queue = queues.get(id) ?? new Map<string, StoredMessage>();
    queues.set(id, queue);
    const isInSealed = isSaidToBeSealed(state, id);
    for (const message of rowsOf(state, id))
      if (isUnopened(message, isInSealed, healing) && !queue.has(keyOf(message))) queue.set(keyOf(message), message);
    run(id);
  };

  const collectChanges = (state: ChatState, before: ChatState): void => {
    for (const [id, row] of Object.entries(state.conversations)) {
      const changed =
        row.lastMessage !== before.conversations[id]?.lastMessage ||
        row.sealedFromSeq !== before.conversations[id]?.sealedFromSeq ||
        state.timelines[id]?.messages !== before.timelines[id]?.messages ||
        state.windows[id] !== before.windows[id] ||
        state.originals[id] !== before.originals[id] ||
        state.seenSealed[id] !== before.seenSealed[id] ||
        state.standings[id]?.epoch !== before.standings[id]?.epoch ||
        state.standings[id]?.isSealed !== before.standings[id]?.isSealed;
      if (changed && row.type !== 'meeting') collect(id);
    }
  };
  store.subscribe((state, before) => {
    if (
      state.conversations !== before.conversations ||
      state.timelines !== before.timelines ||
      state.windows !== before.windows ||
      state.originals !== before.originals ||
      state.seenSealed !== before.seenSealed ||
      state.standings !== before.standings
    )
      collectChanges(state, before);
  });
  for (const id of Object.keys(store.getState().conversations)) collect(id);

  return {
    /** Returns true if no row of a conversation in memory is being opened. */
    isIdle,
    /** Calls back when all rows of a conversation in memory were looked at. */
    onIdle: (listener: (id: string) => void) => void (onIdle = listener),
    /** Opens rows that are not open yet again, because keys or headers may have arrived; null: of all conversations. */
    heal(id: string | null): void {
      for (const one of id === null ? Object.keys(store.getState().conversations) : [id]) {
        if (running.has(one)) again.add(one);
        else collect(one, true);
      }
    },
    /** Returns rows that are not in memory opened, in their order. Those that cannot be opened now stay closed. */
    async openRows(messages: readonly StoredMessage[]): Promise<StoredMessage[]> {
      const state = store.getState();
      const opened = new Map<StoredMessage, StoredMessage>();
      const closed = messages.filter((one) => isUnopened(one, isSaidToBeSealed(state, one.conversationId), true));
      for (const id of new Set(closed.map(({ conversationId }) => conversationId))) {
        const rows = closed.filter(({ conversationId }) => conversationId === id);
        for (let from = 0; from < rows.length; from += pageSize) {
          const page = rows.slice(from, from + pageSize);
          const shown = await openPage(id, page).catch(() => page);
          for (const [at, row] of page.entries()) opened.set(row, shown[at] ?? row);
        }
      }
      return messages.map((one) => opened.get(one) ?? one);
    },
  };
}
