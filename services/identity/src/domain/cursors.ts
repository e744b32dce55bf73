import { defineCursor, idCursorField, nameCursorField, textCursorField } from '@nolo/kit/pages';

/** End of a page: sort key and ID of its last row. */
export interface PageEnd {
  key: string;
  id: string;
}

export const { read: readCursor, write: writeCursor } = defineCursor<PageEnd>({
  key: textCursorField,
  id: idCursorField(),
});

/**
 * Accepts only the time format that this service writes. JavaScript accepts many formats that PostgreSQL refuses, and
 * years that PostgreSQL does not support.
 */
const isWrittenTime = (text: string): text is string =>
  /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));

/** Cursor whose sort key is a time. */
export const { read: readTimeCursor } = defineCursor<PageEnd>({
  key: nameCursorField(isWrittenTime),
  id: idCursorField(),
});
