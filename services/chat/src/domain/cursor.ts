import { parseId, type ConversationId, type MessageId, type UserId } from '@nolo/kit/ids';
import { failChat } from '../errors.ts';
import type { MemberPlace, TimePlace } from './groupPorts.ts';
import type { Message } from './message.ts';

/** A place in the conversation list: the sort key of the last row that was handed out. */
export interface ListPlace {
  readonly activityAt: Date;
  readonly id: ConversationId;
}

/** Opaque to clients, so that the sort key can change. */
export function writeListCursor(place: ListPlace): string {
  return Buffer.from(`${place.activityAt.getTime()}.${place.id}`).toString('base64url');
}

function readPlace<T extends string>(cursor: string): { time: Date; id: T } {
  const match = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const id = parseId<T>(match?.[2]);
  if (!match || !id) throw failChat('invalid', 'cursor_invalid', 'The cursor is not one that was handed out.');
  return { time: new Date(Number(match[1])), id };
}

/** @throws cursor_invalid where the cursor is none of ours. */
export function readListCursor(cursor: string): ListPlace | undefined {
  if (cursor === '') return undefined;
  const { time, id } = readPlace<ConversationId>(cursor);
  return { activityAt: time, id };
}

/** A place in the list of starred messages. */
export interface StarPlace {
  readonly starredAt: Date;
  readonly id: MessageId;
}

export function writeStarCursor({ starredAt, id }: StarPlace): string {
  return Buffer.from(`${starredAt.getTime()}.${id}`).toString('base64url');
}

/** @throws cursor_invalid where the cursor is none of ours. */
export function readStarCursor(cursor: string): StarPlace | undefined {
  if (cursor === '') return undefined;
  const { time, id } = readPlace<MessageId>(cursor);
  return { starredAt: time, id };
}

/** A place in a list that is sorted by time; opaque to clients, like all of these. */
export function writeTimeCursor({ at, id }: TimePlace): string {
  return Buffer.from(`${at.getTime()}.${id}`).toString('base64url');
}

/** @throws cursor_invalid where the cursor is none of ours. */
export function readTimeCursor(cursor: string): TimePlace | undefined {
  if (cursor === '') return undefined;
  const { time, id } = readPlace<UserId>(cursor);
  return { at: time, id };
}

/** A place in the list of members. */
export function writeMemberCursor({ rank, at, userId }: MemberPlace): string {
  return `${rank}${writeTimeCursor({ at, id: userId })}`;
}

/** @throws cursor_invalid where the cursor is none of ours. */
export function readMemberCursor(cursor: string): MemberPlace | undefined {
  if (cursor === '') return undefined;
  const { time, id } = readPlace<UserId>(cursor.slice(1));
  return { rank: Number.parseInt(cursor.charAt(0), 10) || 0, at: time, userId: id };
}

/** A page's size: what was asked for, within what is allowed. */
export function pageSize(asked: number, usual: number, most: number): number {
  return asked <= 0 ? usual : Math.min(asked, most);
}

/** The most that a counter can hold exactly, here and in JSON. Beyond it, a cursor is "as far as there is". */
export function clampSeq(seq: number): number {
  return Math.min(Math.max(0, Math.trunc(seq)), Number.MAX_SAFE_INTEGER);
}

/** What messages say in one page, in bytes: half of what one call may answer, for the rest of them and what is escaped. */
const pageBytes = 2 * 1024 * 1024;

const bytesOf = (...texts: (string | null)[]): number =>
  texts.reduce((bytes, text) => bytes + (text === null ? 0 : Buffer.byteLength(text, 'utf8')), 0);

/**
 * As many of the first as go into one answer, and one at least: a hundred long messages would not, and whoever wrote them
 * would have closed the conversation for everybody.
 */
export function fitting<Item>(items: readonly Item[], messageOf: (item: Item) => Message | null): Item[] {
  let bytes = 0;
  const tooMany = items.findIndex((item, index) => {
    const message = messageOf(item);
    if (message) {
      const { content, fileName, voiceMessageTranscription, mediaInfo, linkPreview } = message;
      bytes += bytesOf(content, fileName, voiceMessageTranscription, mediaInfo, linkPreview);
    }
    return index > 0 && bytes > pageBytes;
  });
  return tooMany === -1 ? [...items] : items.slice(0, tooMany);
}
