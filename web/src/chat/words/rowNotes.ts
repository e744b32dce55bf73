import type { StoredMessage } from '@nolo/client/chat/rowOpening';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import type { RowRefusal } from '@nolo/client/keys/conversations/rowTypes';

/** Reason for which the list shows a line in place of a row of a sealed conversation. */
export type RowNote = 'waiting' | 'earlier' | 'earlierDraft' | 'removed' | 'late' | RowRefusal;

/** Returns what the list says in place of a row; null for rows that it shows. */
export function rowNoteOf({ opening }: Pick<StoredMessage, 'messageType' | 'opening'>): RowNote | null {
  switch (opening?.state) {
    case 'earlier':
      return opening.isDraft === true ? 'earlierDraft' : 'earlier';
    case 'waiting':
    case 'removed':
      return opening.state;
    case 'refused':
      return opening.reason;
    case 'open':
      return opening.late ? 'late' : null;
    default:
      return null;
  }
}

/** Consecutive rows in the same state. */
export interface RowRun {
  readonly note: RowNote;
  readonly entries: readonly MessageListEntry[];
}

/**
 * Groups rows in the same state, so that they appear as one line. Returns each run by the key of every row in it.
 *
 * @param startsAnew returns true for an entry with something above it, which no run spans
 * @param unfolded keys of late rows that the user wants to see
 */
export function findRowRuns(
  entries: readonly MessageListEntry[],
  startsAnew: (entry: MessageListEntry) => boolean,
  unfolded: ReadonlySet<string>,
): ReadonlyMap<string, RowRun> {
  const runs = new Map<string, RowRun>();
  let run: { readonly note: RowNote; readonly entries: MessageListEntry[] } | undefined;
  for (const entry of entries) {
    const note = entry.message && rowNoteOf(entry.message);
    if (note === null || (note === 'late' && unfolded.has(entry.key))) {
      run = undefined;
      continue;
    }
    if (run?.note !== note || startsAnew(entry)) run = { note, entries: [] };
    run.entries.push(entry);
    runs.set(entry.key, run);
  }
  return runs;
}
