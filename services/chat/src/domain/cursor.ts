import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import { defineCursor, idPart, numberPart, timePart } from '@nolo/kit/pages';
import type { MemberPlace, TimePlace } from './groupPorts.ts';
import type { Message } from './message.ts';

/** A place in the conversation list: the sort key of the last row that was handed out. */
export interface ListPlace {
  readonly activityAt: Date;
  readonly id: ConversationId;
}

export const { read: readListCursor, write: writeListCursor } = defineCursor<ListPlace>({
  activityAt: timePart,
  id: idPart(),
});

/** A place in the list of starred messages. */
export interface StarPlace {
  readonly starredAt: Date;
  readonly id: MessageId;
}

export const { read: readStarCursor, write: writeStarCursor } = defineCursor<StarPlace>({
  starredAt: timePart,
  id: idPart(),
});

/** A place in a list that is sorted by time. */
export const { read: readTimeCursor, write: writeTimeCursor } = defineCursor<TimePlace>({
  at: timePart,
  id: idPart<UserId>(),
});

/** A place in the list of members. */
export const { read: readMemberCursor, write: writeMemberCursor } = defineCursor<MemberPlace>({
  rank: numberPart,
  at: timePart,
  userId: idPart(),
});

/** The most that a counter can hold exactly, here and in JSON. Beyond it, a cursor is "as far as there is". */
export function clampSeq(seq: number): number {
  return Math.min(Math.max(0, Math.trunc(seq)), Number.MAX_SAFE_INTEGER);
}

/** What messages say in one page, in bytes: half of what one call may answer, for the rest of them and what is escaped. */
const pageBytes = 2 * 1024 * 1024;

/**
 * As many of the first as go into one answer, and one at least: a hundred long messages would not, and whoever wrote them
 * would have closed the conversation for everybody.
 */
export function fitting<Item>(items: readonly Item[], messageOf: (item: Item) => Message | null): Item[] {
  let bytes = 0;
  const tooMany = items.findIndex((item, index) => {
    const message = messageOf(item);
    if (message) bytes += Buffer.byteLength(message.content, 'utf8');
    return index > 0 && bytes > pageBytes;
  });
  return tooMany === -1 ? [...items] : items.slice(0, tooMany);
}
