import { useCallback, useEffect, useRef, useState } from 'react';
import type { ListRange } from 'react-virtuoso';
import { useChat } from '../context/chatContext.ts';
import { actionsOf } from '../engine/conversationActions.ts';
import type { Entry } from '../engine/entries.ts';
import type { Timeline } from '../engine/timeline.ts';
import type { ListContext } from './listContext.ts';
import type { ShownPart } from './useShownPart.ts';

/** So many rows before an end of what it holds, the list takes in more. */
const ahead = 10;

/** Asks the server for what came before, and knows where that failed. */
export function useOlderMessages(id: string): { olderFailed: boolean; loadOlder: () => void } {
  const { engine } = useChat();
  const [olderFailed, setOlderFailed] = useState(false);
  const loadOlder = useCallback(() => {
    setOlderFailed(false);
    actionsOf(engine)
      .loadOlder(id)
      .catch(() => setOlderFailed(true));
  }, [engine, id]);
  return { olderFailed, loadOlder };
}

/** What the head of the list says of older messages. */
export function olderState(part: ShownPart, timeline: Timeline, olderFailed: boolean): ListContext['older'] {
  if (part.hasOlder) return 'more';
  if (olderFailed) return 'failed';
  if (timeline.loadingOlder) return 'loading';
  return timeline.hasOlder ? 'more' : 'none';
}

/**
 * Reads on before an end comes into sight, so that what it brings is put where nobody looks. Answers with what the list
 * calls with the rows that it shows.
 */
export function useReadingOn(
  id: string,
  timeline: Timeline,
  {
    part,
    outside,
    entries,
    firstIndex,
    revealed,
    olderFailed,
    loadOlder,
  }: {
    part: ShownPart;
    outside: boolean;
    entries: readonly Entry[];
    firstIndex: number;
    revealed: boolean;
    olderFailed: boolean;
    loadOlder: () => void;
  },
): (range: ListRange) => void {
  const { engine } = useChat();
  const edges = useRef<ListRange>(null);
  const loadNewer = (): void => {
    // Reaching the end again asks again.
    actionsOf(engine)
      .loadNewer(id)
      .catch(() => {});
  };
  const readOn = (): void => {
    if (!edges.current || !revealed) return;
    const { startIndex, endIndex } = edges.current;
    if (startIndex - firstIndex < ahead) {
      if (part.hasOlder) return part.older();
      if (!olderFailed) loadOlder();
    }
    if (firstIndex + entries.length - endIndex > ahead) return;
    if (part.hasNewer) part.newer();
    else if (outside) loadNewer();
  };
  const latestReadOn = useRef(readOn);
  useEffect(() => {
    latestReadOn.current = readOn;
  });
  useEffect(() => latestReadOn.current(), [entries, revealed, timeline.loadingOlder]);
  const soon = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(soon.current), []);
  return (range) => {
    edges.current = range;
    clearTimeout(soon.current);
    // Not while the list puts right what it has just drawn.
    soon.current = setTimeout(() => latestReadOn.current());
  };
}
