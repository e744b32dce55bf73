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

/** What was loaded when it was last looked at, and what of it is shown. */
interface Followed {
  readonly all: Messages;
  readonly pending: number;
  readonly part: Part;
  /** The same list for as long as the same messages are shown, however many more are loaded. */
  readonly shown: Messages;
  readonly run: number;
}

export const nothingYet: Followed = { all: [], pending: 0, part: { from: 0, to: null }, shown: [], run: 0 };

function withPart(followed: Followed, part: Part): Followed {
  const shown = messagesOf(part, followed.all);
  const same = shown.length === followed.shown.length && shown.every((one, index) => one === followed.shown[index]);
  return { ...followed, part, shown: same ? followed.shown : shown };
}

/** What is shown after the loaded messages changed, or after somebody wants to be at the one with this `seq`. */
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
    // The same list, which stays on the screen, wherever it can hold that message too.
    const part = partReaching(before.part, wanted, all);
    return part ? withPart(now, part) : anew(wanted);
  }
  // One's own message is what one wants to see, wherever one was.
  if (pending.length > before.pending && before.part.to !== null) return anew();
  return all === before.all && pending.length === before.pending ? before : withPart(now, before.part);
}

export interface ShownPart {
  messages: Messages;
  /** Counts how often what is shown was replaced by something else, rather than read on at one of its ends. */
  run: number;
  /** Whether there are loaded messages before it. */
  hasOlder: boolean;
  /** How many rows there are for what is loaded after it. */
  rowsAfter: number;
  /** Whether it ends before what was loaded last. */
  hasNewer: boolean;
  older: () => void;
  newer: () => void;
  toNewest: () => void;
}

/**
 * The part of a conversation's loaded messages that its list holds. `wanted` is where somebody is to be now, and `left`
 * where the conversation was left, both by `seq`.
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
