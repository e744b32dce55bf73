import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import { defineCursor, idPart, numberPart, timePart } from '@nolo/kit/pages';
import type { MemberPlace, TimePlace } from './groupPorts.ts';
import type { Message } from './message.ts';

/** Position in the conversation list: the sort key of the last returned row. */
export interface ListPlace {
  readonly activityAt: Date;
  readonly id: ConversationId;
}

export const { read: readListCursor, write: writeListCursor } = defineCursor<ListPlace>({
  activityAt: timePart,
  id: idPart(),
});

/** Position in the list of starred messages. */
export interface StarPlace {
  readonly starredAt: Date;
  readonly id: MessageId;
}

export const { read: readStarCursor, write: writeStarCursor } = defineCursor<StarPlace>({
  starredAt: timePart,
  id: idPart(),
});

/** Cursor of a list sorted by time. */
export const { read: readTimeCursor, write: writeTimeCursor } = defineCursor<TimePlace>({
  at: timePart,
  id: idPart<UserId>(),
});

/** Cursor of the list of members. */
export const { read: readMemberCursor, write: writeMemberCursor } = defineCursor<MemberPlace>({
  rank: numberPart,
  at: timePart,
  userId: idPart(),
});

/** Limits a counter to the safe integers of JavaScript and JSON. A larger cursor means "as far as possible". */
export function clampSeq(seq: number): number {
  return Math.min(Math.max(0, Math.trunc(seq)), Number.MAX_SAFE_INTEGER);
}

/**
 * Maximum bytes of message texts on one page: half the size of a reply, which leaves room for other fields and
 * escaping.
 */
const pageBytes = 2 * 1024 * 1024;

const bytesOf = (...texts: (string | null)[]): number =>
  texts.reduce((bytes, text) => bytes + (text === null ? 0 : Buffer.byteLength(text, 'utf8')), 0);

/**
 * Returns as many items as fit into one reply, but at least one. A hundred long messages would not fit, so their author
 * could make the conversation unreadable for everyone.
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
