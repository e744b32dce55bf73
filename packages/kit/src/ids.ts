import { v5, v7, validate, version } from 'uuid';
import { createAppError } from './errors.ts';

declare const brand: unique symbol;

/**
 * Id that the compiler distinguishes from others, although it is only a string at run time: a UserId cannot be passed
 * as a ConversationId.
 */
export type BrandedId<Name extends string> = string & { readonly [brand]: Name };

export type UserId = BrandedId<'user'>;
export type SessionId = BrandedId<'session'>;
export type ContactId = BrandedId<'contact'>;
export type ConversationId = BrandedId<'conversation'>;
export type MessageId = BrandedId<'message'>;
export type UploadId = BrandedId<'upload'>;
export type FileId = BrandedId<'file'>;
export type ReportId = BrandedId<'report'>;
export type MeetingId = BrandedId<'meeting'>;
/** Call id. Not a UUID: it begins with "call-", because URLs of the app name calls and meetings alike. */
export type CallId = BrandedId<'call'>;
/** Meeting or call of a room. */
export type RoomId = MeetingId | CallId;
/** Socket of a user or guest in a room. */
export type ParticipantId = BrandedId<'participant'>;
/** Process of media-sfu. */
export type MediaNodeId = BrandedId<'node'>;

/**
 * Returns a version 7 UUID (RFC 9562, section 5.7). It begins with the time, so rows inserted together are adjacent in
 * an index, and sorting by id is sorting by age. Increases monotonically within a process.
 */
export function newId<T extends string = string>(): T {
  return v7() as T;
}

/** Returns the creation time of an id from `newId`; undefined for any other id. */
export function createdAtOfId(id: string): Date | undefined {
  return isId(id) && version(id) === 7 ? new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)) : undefined;
}

const names = '6b0e6f0a-3f0f-4c0c-9d0e-6d2f2d1f5c11';

/**
 * Returns the version 5 UUID of a name, always the same: for actions that must happen once, regardless of how often
 * they are tried.
 */
export function idFromName<T extends string = string>(name: string): T {
  return v5(name, names) as T;
}

export function isId<T extends string = string>(value: unknown): value is T {
  return typeof value === 'string' && validate(value);
}

/** Brands a checked string. Returns undefined for anything that is not a UUID. */
export function parseId<T extends string>(value: unknown): T | undefined {
  return isId(value) ? (value.toLowerCase() as T) : undefined;
}

/** Brands a received id. A string that is no valid id names nothing. @throws the error of `unknown` */
export function parseIdOrThrow<T extends string>(id: string, unknown: () => Error): T {
  const parsed = parseId<T>(id);
  if (parsed === undefined) throw unknown();
  return parsed;
}

/**
 * Returns the acting user. The gateway determined the id, so an invalid one is an internal mistake, not the user's.
 *
 * @throws AppError invalid 'actor_invalid'
 */
export function parseActorId(id: string): UserId {
  return parseIdOrThrow(id, () => createAppError('invalid', 'actor_invalid', 'The account id is invalid.'));
}
