import { failIdentity } from '../errors.ts';

/** Where a page ended: the sort key and the id of its last row. */
export interface PageEnd {
  key: string;
  id: string;
}

/** Cursors are opaque to clients; what is in them is only ever compared against, never trusted. */
export function writeCursor({ key, id }: PageEnd): string {
  return Buffer.from(JSON.stringify([key, id])).toString('base64url');
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function cursorInvalid() {
  return failIdentity('invalid', 'cursor_invalid', 'This page does not exist.');
}

export function readCursor(cursor: string): PageEnd | undefined {
  if (cursor === '') return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parts) && parts.length === 2) {
      const [key, id] = parts as unknown[];
      // PostgreSQL refuses text with a NUL in it.
      if (typeof key === 'string' && !key.includes('\0') && typeof id === 'string' && uuid.test(id)) return { key, id };
    }
  } catch {
    // Falls through to the refusal.
  }
  throw cursorInvalid();
}

/** Times as this service writes them: JavaScript takes many that PostgreSQL refuses, and years that it does not know. */
const writtenTime = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The same where the sort key is a time. */
export function readTimeCursor(cursor: string): PageEnd | undefined {
  const end = readCursor(cursor);
  if (end && (!writtenTime.test(end.key) || Number.isNaN(Date.parse(end.key)))) throw cursorInvalid();
  return end;
}
