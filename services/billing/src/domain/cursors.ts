import { defineCursor, idCursorField, timeCursorField } from '@nolo/kit/pages';

/** Cursor of a list in newest-first order. */
export const newestFirstCursor = defineCursor<{ at: Date; id: string }>({ at: timeCursorField, id: idCursorField() });

/** Cursor of a list of accounts. */
export const accountCursor = defineCursor<{ id: string }>({ id: idCursorField() });

/** Returns a page and the start of the next one, given one row more than fits. */
export function toPage<Row extends { readonly id: string }>(
  found: readonly Row[],
  limit: number,
  timeOf: (row: Row) => Date,
): { rows: Row[]; nextCursor: string | undefined } {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: found.length > limit && last ? newestFirstCursor.write({ at: timeOf(last), id: last.id }) : undefined,
  };
}
