import { defineCursor, idPart, timePart } from '@nolo/kit/pages';

/** A place in a list that is newest first. */
export const listCursor = defineCursor<{ at: Date; id: string }>({ at: timePart, id: idPart() });

/** A place in a list of accounts. */
export const accountCursor = defineCursor<{ id: string }>({ id: idPart() });

/** What of one row more than a page was found is on it, and where the next one begins. */
export function pageOf<Row extends { readonly id: string }>(
  found: readonly Row[],
  limit: number,
  timeOf: (row: Row) => Date,
): { rows: Row[]; nextCursor: string | undefined } {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: found.length > limit && last ? listCursor.write({ at: timeOf(last), id: last.id }) : undefined,
  };
}
