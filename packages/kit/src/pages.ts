import { fail } from './errors.ts';
import { parseId } from './ids.ts';

/** One value of a sort key, as text: without a NUL, which PostgreSQL refuses, and never longer than what was written. */
export interface CursorPart<T> {
  write(value: T): string;
  /** Undefined where this text was never written. */
  read(text: string): T | undefined;
}

/** A place in a list, the sort key of the last row that was handed out. Opaque to clients, so that the key can change. */
export interface Cursor<Place> {
  write(place: Place): string;
  /**
   * Undefined for the beginning of the list, which is where no cursor is given. Clients may say that by an empty one.
   *
   * @throws AppError invalid 'cursor_invalid' where the cursor is none of ours.
   */
  read(cursor: string | undefined): Place | undefined;
}

/** Milliseconds since 1970; years that PostgreSQL does not know were never written. */
export const timePart: CursorPart<Date> = {
  write: (time) => String(time.getTime()),
  read: (text) => (/^\d{1,15}$/.test(text) ? new Date(Number(text)) : undefined),
};

export const numberPart: CursorPart<number> = {
  write: String,
  read: (text) => (/^-?\d{1,16}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined),
};

/** Text that a row is sorted by. */
export const textPart: CursorPart<string> = {
  write: (text) => text,
  read: (text) => (text.includes('\0') ? undefined : text),
};

export function idPart<T extends string>(): CursorPart<T> {
  return { write: (id) => id, read: (text) => parseId<T>(text) };
}

/** A name that has a form of its own and is no UUID. */
export function namePart<T extends string>(isName: (text: string) => text is T): CursorPart<T> {
  return { write: (name) => name, read: (text) => (isName(text) ? text : undefined) };
}

/** A cursor of these parts, in this order; parts that are added or taken away make another cursor of it. */
export function defineCursor<Place extends object>(parts: {
  readonly [Key in keyof Place]-?: CursorPart<Place[Key]>;
}): Cursor<Place> {
  const entries = Object.entries(parts) as [keyof Place, CursorPart<Place[keyof Place]>][];
  return {
    write: (place) =>
      Buffer.from(entries.map(([key, part]) => escape(part.write(place[key]))).join('.')).toString('base64url'),
    read(cursor) {
      if (cursor === undefined || cursor === '') return undefined;
      const texts = unescape(Buffer.from(cursor, 'base64url').toString());
      const values = texts?.length === entries.length ? entries.map(([, part], at) => part.read(texts[at] ?? '')) : [];
      if (values.length === 0 || values.includes(undefined)) {
        throw fail('invalid', 'cursor_invalid', 'The cursor is not one that was handed out.');
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

/** A page's size: what was asked for, within what is allowed; the usual one where nothing was. */
export function pageSize(asked: number | undefined, usual: number, most: number): number {
  return asked === undefined || asked <= 0 ? usual : Math.min(asked, most);
}
