import type { Conversation } from '@nolo/api';
import { useState, type FocusEvent, type KeyboardEvent } from 'react';
import { useParams } from 'react-router-dom';

/** Renders a row that does not exist yet, then calls `done`. Used by virtual lists. */
type RenderMissingRow = (index: number, done: () => void) => void;

/** Moves the focus between the rows of a list with the arrows, Home, and End. */
function useRowArrowKeys(
  ids: readonly string[],
  onMove: (id: string) => void,
  draw?: RenderMissingRow,
): (event: KeyboardEvent<HTMLElement>) => void {
  const focusRow = (index: number): void => {
    const id = ids[index];
    if (id === undefined) return;
    onMove(id);
    const row = () => document.querySelector<HTMLElement>(`[data-conversation="${id}"]`);
    // The browser scrolls to a rendered row. Any other must be rendered first.
    if (row()) row()?.focus();
    else draw?.(index, () => row()?.focus());
  };
  return (event) => {
    const focused = (event.target as HTMLElement).closest<HTMLElement>('[data-conversation]');
    if (!focused || event.altKey || event.ctrlKey || event.metaKey) return;
    const index = ids.indexOf(focused.dataset['conversation'] ?? '');
    const targets: Record<string, number> = {
      ArrowDown: Math.min(index + 1, ids.length - 1),
      ArrowUp: Math.max(index - 1, 0),
      Home: 0,
      End: ids.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    focusRow(target);
  };
}

/** Handles the keyboard in the conversation list: Tab reaches one row, and the arrows move from there. */
export function useRowFocus(rows: readonly Conversation[], draw?: RenderMissingRow) {
  const { id: currentId } = useParams();
  const [focusedId, setFocusedId] = useState<string>();
  const ids = rows.map((row) => row.id);
  const onKeyDown = useRowArrowKeys(ids, setFocusedId, draw);
  const tabStopId = [focusedId, currentId].find((id) => id !== undefined && ids.includes(id)) ?? ids[0];
  return {
    currentId,
    tabStopId,
    onKeyDown,
    onFocus: (event: FocusEvent<HTMLElement>) =>
      setFocusedId((event.target as HTMLElement).dataset['conversation'] ?? focusedId),
  };
}
