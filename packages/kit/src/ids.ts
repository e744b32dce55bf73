import { v5, v7, validate, version } from 'uuid';
import { fail } from './errors.ts';

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
export type ReportId = Id<'report'>;
export type MeetingId = Id<'meeting'>;
/** Not a UUID: it begins with "call-", for addresses of the app name calls and meetings alike. */
export type CallId = Id<'call'>;
/** What a room is open for. */
export type RoomId = MeetingId | CallId;
/** One socket of one person or guest in a room. */
export type ParticipantId = Id<'participant'>;
/** A process of media-sfu. */
export type NodeId = Id<'node'>;

/**
 * A version 7 UUID (RFC 9562, section 5.7): it begins with the time, so rows inserted together lie
 * together in an index, and sorting by id is sorting by age. Within one process it only goes up.
 */
export function newId<T extends string = string>(): T {
  return v7() as T;
}

/** When an id of `newId` was made; undefined for any other one. */
export function madeAt(id: string): Date | undefined {
  return isId(id) && version(id) === 7 ? new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)) : undefined;
}

const names = '6b0e6f0a-3f0f-4c0c-9d0e-6d2f2d1f5c11';

/** The same version 5 UUID for the same name, whoever asks: for what must happen once however often it is tried. */
export function idFromName<T extends string = string>(name: string): T {
  return v5(name, names) as T;
}

export function isId<T extends string = string>(value: unknown): value is T {
  return typeof value === 'string' && validate(value);
}

/** Gives a checked string its brand. Answers undefined for anything that is no UUID. */
export function parseId<T extends string>(value: unknown): T | undefined {
  return isId(value) ? (value.toLowerCase() as T) : undefined;
}

/** Gives an id its brand that was sent along; what cannot be one names nothing. @throws what `unknown` makes */
export function idFrom<T extends string>(id: string, unknown: () => Error): T {
  const parsed = parseId<T>(id);
  if (parsed === undefined) throw unknown();
  return parsed;
}

/**
 * Who asks. The gateway established that, so anything but an id is a mistake of ours, not of the person.
 *
 * @throws AppError invalid 'actor_invalid'
 */
export function actorFrom(id: string): UserId {
  return idFrom(id, () => fail('invalid', 'actor_invalid', 'The account id is not valid.'));
}
