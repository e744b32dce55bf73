import type { Conversation } from '@nolo/api';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import { useCallback, useMemo, useState } from 'react';
import { useChatState } from '../context/chatContext.ts';
import { findRowRuns, type RowRun } from '../words/rowNotes.ts';
import { placeTimelineLines, type TimelineLines } from './timelineLines.ts';

/** Lines that the list of a sealed conversation shows beside and in place of its messages. */
export interface SealedRows {
  readonly lines: TimelineLines;
  /** Rows that appear as one line, by the key of every row. */
  readonly runs: ReadonlyMap<string, RowRun>;
  /** Shows late rows, by their keys. */
  readonly unfold: (keys: readonly string[]) => void;
  /** Returns true for an entry without a line of its own. */
  readonly isHidden: (key: string) => boolean;
}

const noGaps: readonly number[] = [];

interface Shown {
  entries: readonly MessageListEntry[];
  hiddenNeighbour: MessageListEntry | undefined;
  unreadKey: string | null;
  /** True if newer messages are not shown. */
  isPast: boolean;
}

/** Returns what belongs to the shown entries of a conversation. Nothing, unless it is sealed. */
export function useSealedRows(
  { id, type, clearedSeq, sealedFromSeq = null }: Conversation,
  { entries, hiddenNeighbour, unreadKey, isPast }: Shown,
): SealedRows {
  const standing = useChatState((state) => state.standings[id]);
  const gaps = useChatState((state) => state.gaps[id]) ?? noGaps;
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(() => new Set());
  const unfold = useCallback((keys: readonly string[]) => setUnfolded((before) => new Set([...before, ...keys])), []);
  const lines = useMemo(
    () => placeTimelineLines({ type, clearedSeq, sealedFromSeq }, entries, standing, { gaps, hiddenNeighbour, isPast }),
    [type, clearedSeq, sealedFromSeq, entries, standing, gaps, hiddenNeighbour, isPast],
  );
  const runs = useMemo(
    () => findRowRuns(entries, ({ key }) => key === unreadKey || lines.above.has(key), unfolded),
    [entries, unreadKey, lines, unfolded],
  );
  return useMemo(
    () => ({
      lines,
      runs,
      unfold,
      isHidden: (key) => lines.repeated.has(key) || (runs.get(key)?.entries.at(-1)?.key ?? key) !== key,
    }),
    [lines, runs, unfold],
  );
}
