import { parseId, type ConversationId } from '@nolo/kit/ids';
import { failChat } from '../errors.ts';

/** A place in the conversation list: the sort key of the last row that was handed out. */
export interface ListPlace {
  readonly activityAt: Date;
  readonly id: ConversationId;
}

/** Opaque to clients, so that the sort key can change. */
export function writeListCursor(place: ListPlace): string {
  return Buffer.from(`${place.activityAt.getTime()}.${place.id}`).toString('base64url');
}

/** @throws cursor_invalid where the cursor is none of ours. */
export function readListCursor(cursor: string): ListPlace | undefined {
  if (cursor === '') return undefined;
  const match = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const id = parseId<ConversationId>(match?.[2]);
  if (!match || !id) throw failChat('invalid', 'cursor_invalid', 'The cursor is not one that was handed out.');
  return { activityAt: new Date(Number(match[1])), id };
}

/** A page's size: what was asked for, within what is allowed. */
export function pageSize(asked: number, usual: number, most: number): number {
  return asked <= 0 ? usual : Math.min(asked, most);
}

/** The most that a counter can hold exactly, here and in JSON. Beyond it, a cursor is "as far as there is". */
export function clampSeq(seq: number): number {
  return Math.min(Math.max(0, Math.trunc(seq)), Number.MAX_SAFE_INTEGER);
}
