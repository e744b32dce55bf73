import { createAppError } from './errors.ts';
import { parseId } from './ids.ts';

/** Value of a sort key as text: without a NUL, which PostgreSQL refuses, and never longer than what `write` returns. */
export interface CursorField<T> {
  write(value: T): string;
  /** Parses the text. Returns undefined if `write` cannot have produced it. */
  read(text: string): T | undefined;
}

/** Position in a list: the sort key of the last returned row. Opaque to clients, so that the key can change. */
export interface Cursor<Place> {
  write(place: Place): string;
  /**
   * Parses a cursor. Returns undefined for the beginning of the list, if the cursor is absent or empty.
   *
   * @throws AppError invalid 'cursor_invalid' if Nolo did not issue the cursor.
   */
  read(cursor: string | undefined): Place | undefined;
}

/** Milliseconds since 1970; years outside PostgreSQL's range are invalid. */
export const timeCursorField: CursorField<Date> = {
  write: (time) => String(time.getTime()),
  read: (text) => (/^\d{1,15}$/.test(text) ? new Date(Number(text)) : undefined),
};

export const numberCursorField: CursorField<number> = {
  write: String,
  read: (text) => (/^-?\d{1,16}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined),
};

/** Text by which rows are sorted. */
export const textCursorField: CursorField<string> = {
  write: (text) => text,
  read: (text) => (text.includes('\0') ? undefined : text),
};

export function idCursorField<T extends string>(): CursorField<T> {
  return { write: (id) => id, read: (text) => parseId<T>(text) };
}

/** Name with its own format that is not a UUID. */
export function nameCursorField<T extends string>(isName: (text: string) => text is T): CursorField<T> {
  return { write: (name) => name, read: (text) => (isName(text) ? text : undefined) };
}

/** Defines a cursor of these parts, in this order. Adding or removing parts makes existing cursors invalid. */
export function defineCursor<Place extends object>(fields: {
  readonly [Key in keyof Place]-?: CursorField<Place[Key]>;
}): Cursor<Place> {
  const entries = Object.entries(fields) as [keyof Place, CursorField<Place[keyof Place]>][];
  return {
    write: (place) =>
      Buffer.from(entries.map(([key, field]) => escape(field.write(place[key]))).join('.')).toString('base64url'),
    read(cursor) {
      if (cursor === undefined || cursor === '') return undefined;
      const texts = unescape(Buffer.from(cursor, 'base64url').toString());
      const values =
        texts?.length === entries.length ? entries.map(([, field], at) => field.read(texts[at] ?? '')) : [];
      if (values.length === 0 || values.includes(undefined)) {
        throw createAppError('invalid', 'cursor_invalid', 'The cursor is invalid. Pass one from an earlier response.');
      }
      return Object.fromEntries(entries.map(([key], at) => [key, values[at]])) as Place;
    },
  };
}

const escape = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E');

function unescape(text: string): string[] | undefined {
  try {
    return text.split('.').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Returns the page size: the requested size within the maximum, or the default. */
export function clampPageSize(requestedSize: number | undefined, defaultSize: number, maxSize: number): number {
  return requestedSize === undefined || requestedSize <= 0 ? defaultSize : Math.min(requestedSize, maxSize);
}
