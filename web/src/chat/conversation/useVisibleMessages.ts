import type { Message } from '@nolo/api';
import { useMemo, useState } from 'react';
import { hasDisappeared } from '@nolo/client/chat/expiry';
import type { Timeline } from '@nolo/client/chat/timeline';
import {
  isInVisibleRange,
  messagesOfRange,
  visibleRangeAround,
  extendToMessage,
  extendToNewer,
  extendToOlder,
  type VisibleRange,
} from './visibleRange.ts';

type Messages = readonly Message[];

/** Messages at the last update, and the part of them that is shown. */
interface Followed {
  readonly all: Messages;
  readonly pending: number;
  readonly range: VisibleRange;
  /** Keeps its identity while the same messages are shown, however many more are loaded. */
  readonly shown: Messages;
  readonly run: number;
}

export const emptyVisibleMessagesState: Followed = {
  all: [],
  pending: 0,
  range: { from: 0, to: null },
  shown: [],
  run: 0,
};

function withVisibleRange(followed: Followed, range: VisibleRange): Followed {
  const shown = messagesOfRange(range, followed.all);
  const same = shown.length === followed.shown.length && shown.every((one, index) => one === followed.shown[index]);
  return { ...followed, range, shown: same ? followed.shown : shown };
}

/**
 * Returns what to show after the loaded messages change, or after a request to go to the message with `seq` `wanted`.
 */
export function updateVisibleMessagesState(
  before: Followed,
  { messages: all, pending }: Timeline,
  wanted: number | undefined,
): Followed {
  const [first, last] = [all[0]?.seq, all.at(-1)?.seq];
  if (first === undefined || last === undefined) return before;
  const now = { ...before, all, pending: pending.length };
  const anew = (seq?: number): Followed =>
    withVisibleRange({ ...now, run: before.run + 1 }, visibleRangeAround(all, seq));
  const [knownFirst, knownLast] = [before.all[0]?.seq, before.all.at(-1)?.seq];
  if (knownFirst === undefined || knownLast === undefined)
    return withVisibleRange(now, visibleRangeAround(all, wanted));
  if (first > knownFirst || last < knownLast) return anew(wanted);
  const isHere = wanted !== undefined && wanted >= first && wanted <= last;
  if (isHere && !isInVisibleRange(before.range, wanted)) {
    // Keeps the same list on the screen if it can hold the wanted message too.
    const range = extendToMessage(before.range, wanted, all);
    return range ? withVisibleRange(now, range) : anew(wanted);
  }
  // Users want to see their own message, wherever they were.
  if (pending.length > before.pending && before.range.to !== null) return anew();
  return all === before.all && pending.length === before.pending ? before : withVisibleRange(now, before.range);
}

export type VisibleMessages = ReturnType<typeof useVisibleMessages>;

/**
 * Manages the part of a conversation's loaded messages that its list holds. `wanted` is the message to go to, and
 * `left` is where the user left the conversation, both by `seq`.
 */
export function useVisibleMessages(
  timeline: Timeline | undefined,
  wanted: number | undefined,
  left: number | undefined,
) {
  const [known, setKnown] = useState<Followed>(emptyVisibleMessagesState);
  const isNew = known.all.length === 0;
  const current = timeline ? updateVisibleMessagesState(known, timeline, wanted ?? (isNew ? left : undefined)) : known;
  if (current !== known) setKnown(current);
  const { all, range, shown, run } = current;
  const rowsAfter = useMemo(() => {
    const { to } = range;
    if (to === null) return 0;
    return all.slice(to - (all[0]?.seq ?? 0) + 1).filter((message) => !hasDisappeared(message)).length;
  }, [all, range]);
  const change = (next: VisibleRange): void => {
    if (next !== range) setKnown(withVisibleRange(current, next));
  };
  return {
    messages: shown,
    /** Number of times the shown messages were replaced rather than extended at one end. */
    run,
    /** True if there are loaded messages before it. */
    hasOlder: range.from > (all[0]?.seq ?? range.from),
    /** Number of rows for the messages loaded after it. */
    rowsAfter,
    /** True if it ends before the last loaded message. */
    hasNewer: range.to !== null,
    older: () => change(extendToOlder(range, all)),
    newer: () => change(extendToNewer(range, all)),
    toNewest: () => setKnown({ ...withVisibleRange(current, visibleRangeAround(all, undefined)), run: run + 1 }),
  };
}
