import type { Message } from '@nolo/api';
import { useMemo, useState } from 'react';
import { hasDisappeared } from '../engine/expiry.ts';
import type { Timeline } from '../engine/timeline.ts';
import {
  isInPart,
  messagesOf,
  partAround,
  partReaching,
  partWithNewer,
  partWithOlder,
  type Part,
} from './shownPart.ts';

type Messages = readonly Message[];

/** Messages at the last update, and the part of them that is shown. */
interface Followed {
  readonly all: Messages;
  readonly pending: number;
  readonly part: Part;
  /** Keeps its identity while the same messages are shown, however many more are loaded. */
  readonly shown: Messages;
  readonly run: number;
}

export const nothingYet: Followed = { all: [], pending: 0, part: { from: 0, to: null }, shown: [], run: 0 };

function withPart(followed: Followed, part: Part): Followed {
  const shown = messagesOf(part, followed.all);
  const same = shown.length === followed.shown.length && shown.every((one, index) => one === followed.shown[index]);
  return { ...followed, part, shown: same ? followed.shown : shown };
}

/**
 * Returns what to show after the loaded messages change, or after a request to go to the message with `seq` `wanted`.
 */
export function follow(before: Followed, { messages: all, pending }: Timeline, wanted: number | undefined): Followed {
  const [first, last] = [all[0]?.seq, all.at(-1)?.seq];
  if (first === undefined || last === undefined) return before;
  const now = { ...before, all, pending: pending.length };
  const anew = (seq?: number): Followed => withPart({ ...now, run: before.run + 1 }, partAround(all, seq));
  const [knownFirst, knownLast] = [before.all[0]?.seq, before.all.at(-1)?.seq];
  if (knownFirst === undefined || knownLast === undefined) return withPart(now, partAround(all, wanted));
  if (first > knownFirst || last < knownLast) return anew(wanted);
  const isHere = wanted !== undefined && wanted >= first && wanted <= last;
  if (isHere && !isInPart(before.part, wanted)) {
    // Keeps the same list on the screen if it can hold the wanted message too.
    const part = partReaching(before.part, wanted, all);
    return part ? withPart(now, part) : anew(wanted);
  }
  // Users want to see their own message, wherever they were.
  if (pending.length > before.pending && before.part.to !== null) return anew();
  return all === before.all && pending.length === before.pending ? before : withPart(now, before.part);
}

export interface ShownPart {
  messages: Messages;
  /** Number of times the shown messages were replaced rather than extended at one end. */
  run: number;
  /** True if there are loaded messages before it. */
  hasOlder: boolean;
  /** Number of rows for the messages loaded after it. */
  rowsAfter: number;
  /** True if it ends before the last loaded message. */
  hasNewer: boolean;
  older: () => void;
  newer: () => void;
  toNewest: () => void;
}

/**
 * Manages the part of a conversation's loaded messages that its list holds. `wanted` is the message to go to, and
 * `left` is where the user left the conversation, both by `seq`.
 */
export function useShownPart(
  timeline: Timeline | undefined,
  wanted: number | undefined,
  left: number | undefined,
): ShownPart {
  const [known, setKnown] = useState<Followed>(nothingYet);
  const isNew = known.all.length === 0;
  const current = timeline ? follow(known, timeline, wanted ?? (isNew ? left : undefined)) : known;
  if (current !== known) setKnown(current);
  const { all, part, shown, run } = current;
  const rowsAfter = useMemo(() => {
    const { to } = part;
    if (to === null) return 0;
    return all.slice(to - (all[0]?.seq ?? 0) + 1).filter((message) => !hasDisappeared(message)).length;
  }, [all, part]);
  const change = (next: Part): void => {
    if (next !== part) setKnown(withPart(current, next));
  };
  return {
    messages: shown,
    run,
    hasOlder: part.from > (all[0]?.seq ?? part.from),
    rowsAfter,
    hasNewer: part.to !== null,
    older: () => change(partWithOlder(part, all)),
    newer: () => change(partWithNewer(part, all)),
    toNewest: () => setKnown({ ...withPart(current, partAround(all, undefined)), run: run + 1 }),
  };
}
