import type { KeyboardEvent } from 'react';

/** Renders a row that does not exist yet, then calls `done`. Used by virtual lists. */
export type RenderMissingRow = (index: number, done: () => void) => void;

/** Moves the focus between the rows of a list with the arrows, Home, and End. */
export function useRowArrowKeys(
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
