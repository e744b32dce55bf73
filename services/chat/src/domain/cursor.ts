import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import { defineCursor, idCursorField, numberCursorField, timeCursorField } from '@nolo/kit/pages';
import type { MemberListCursor, TimeCursor } from './groupPorts.ts';
import type { StoredMessage } from './message.ts';

/** Position in the conversation list: the sort key of the last returned row. */
export interface ConversationListCursor {
  readonly activityAt: Date;
  readonly id: ConversationId;
}

export const { read: readListCursor, write: writeListCursor } = defineCursor<ConversationListCursor>({
  activityAt: timeCursorField,
  id: idCursorField(),
});

/** Position in the list of starred messages. */
export interface StarCursor {
  readonly starredAt: Date;
  readonly id: MessageId;
}

export const { read: readStarCursor, write: writeStarCursor } = defineCursor<StarCursor>({
  starredAt: timeCursorField,
  id: idCursorField(),
});

/** Cursor of a list sorted by time. */
export const { read: readTimeCursor, write: writeTimeCursor } = defineCursor<TimeCursor>({
  at: timeCursorField,
  id: idCursorField<UserId>(),
});

/** Cursor of the list of members. */
export const { read: readMemberCursor, write: writeMemberCursor } = defineCursor<MemberListCursor>({
  rank: numberCursorField,
  at: timeCursorField,
  userId: idCursorField(),
});

/** Limits a counter to the safe integers of JavaScript and JSON. A larger cursor means "as far as possible". */
export function clampSeq(seq: number): number {
  return Math.min(Math.max(0, Math.trunc(seq)), Number.MAX_SAFE_INTEGER);
}

/**
 * Maximum bytes of message contents on one page: half the size of a reply, which leaves room for other fields and
 * escaping.
 */
const pageBytes = 2 * 1024 * 1024;

function bytesOf({ content, seal }: StoredMessage): number {
  const sealed = seal ? [seal, ...seal.annotations].reduce((total, one) => total + (one.sealed?.length ?? 0), 0) : 0;
  return Buffer.byteLength(content, 'utf8') + sealed;
}

/**
 * Returns as many items as fit into one reply, but at least one. A hundred long messages would not fit, so their author
 * could make the conversation unreadable for everyone.
 */
export function takeFitting<Item>(items: readonly Item[], messageOf: (item: Item) => StoredMessage | null): Item[] {
  let bytes = 0;
  const tooMany = items.findIndex((item, index) => {
    const message = messageOf(item);
    if (message) bytes += bytesOf(message);
    return index > 0 && bytes > pageBytes;
  });
  return tooMany === -1 ? [...items] : items.slice(0, tooMany);
}
