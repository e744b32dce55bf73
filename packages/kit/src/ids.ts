import { v5, v7, validate } from 'uuid';

declare const brand: unique symbol;

/**
 * An identifier that the compiler keeps apart from the others, although at run time it is only a
 * string: a UserId cannot slip in where a ConversationId is meant.
 */
export type Id<Name extends string> = string & { readonly [brand]: Name };

export type UserId = Id<'user'>;
export type SessionId = Id<'session'>;
export type ContactId = Id<'contact'>;
export type ConversationId = Id<'conversation'>;
export type MessageId = Id<'message'>;
export type UploadId = Id<'upload'>;
export type FileId = Id<'file'>;

/**
 * A version 7 UUID (RFC 9562, section 5.7): it begins with the time, so rows inserted together lie
 * together in an index, and sorting by id is sorting by age. Within one process it only goes up.
 */
export function newId<T extends string = string>(): T {
  return v7() as T;
}

const names = '6b0e6f0a-3f0f-4c0c-9d0e-6d2f2d1f5c11';

/** The same version 5 UUID for the same name, whoever asks: for what must happen once however often it is tried. */
export function idFromName(name: string): string {
  return v5(name, names);
}

export function isId(value: unknown): value is string {
  return typeof value === 'string' && validate(value);
}

/** Gives a checked string its brand. Answers undefined for anything that is no UUID. */
export function parseId<T extends string>(value: unknown): T | undefined {
  return isId(value) ? (value.toLowerCase() as T) : undefined;
}
