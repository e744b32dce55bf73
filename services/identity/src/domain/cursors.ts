import { defineCursor, idPart, namePart, textPart } from '@nolo/kit/pages';

/** Where a page ended: the sort key and the id of its last row. */
export interface PageEnd {
  key: string;
  id: string;
}

export const { read: readCursor, write: writeCursor } = defineCursor<PageEnd>({ key: textPart, id: idPart() });

/** Times as this service writes them: JavaScript takes many that PostgreSQL refuses, and years that it does not know. */
const isWrittenTime = (text: string): text is string =>
  /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));

/** The same where the sort key is a time. */
export const { read: readTimeCursor } = defineCursor<PageEnd>({ key: namePart(isWrittenTime), id: idPart() });
