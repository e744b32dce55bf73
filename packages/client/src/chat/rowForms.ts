import type { Message } from '@nolo/api';
import { openEnvelope, toMessageContent } from '@nolo/rules';
import type { OpenedReaction, OpenedRow } from '../keys/conversations/rowTypes.ts';
import { withoutContent } from './expiry.ts';
import { splitFiles } from './sealedFiles.ts';
import { unopenedRow, type StoredMessage } from './rowOpening.ts';

/** Returns a row as the server sent it. */
export const asSent = (message: StoredMessage): Message => unopenedRow(message) ?? message;

/** Returns the row without everything that is only true if the seal says so. */
export const withoutClaims = (row: Message): Message => ({
  ...withoutContent(row),
  sealed: null,
  forwarded: false,
  expiresAt: null,
});

/** Last time that `Date` knows. */
const lastTimeMs = 8_640_000_000_000_000;

/** Returns when a row disappears by the timer of its header. */
const toExpiresAt = (at: number | null): string | null =>
  at === null ? null : new Date(Math.min(at, lastTimeMs)).toISOString();

/** Returns the row as it is shown before it is open. */
export const closeRow = (row: Message): StoredMessage => ({ ...withoutClaims(row), opening: { state: 'closed', row } });

/** Returns reactions with sealed ones in place of those of the same people. */
const withSealed = (plain: Message['reactions'], sealed: readonly OpenedReaction[]): Message['reactions'] => [
  ...plain.filter(({ userId }) => !sealed.some((one) => one.userId === userId)),
  ...sealed,
];

/** Returns an approval as a message of the draft's author. */
const byAuthor = (row: Message, author: string | null): Message =>
  author === null ? row : { ...row, senderId: author, sender: null };

/** Returns the row with what the device found in it. */
export function openRow(row: Message, opened: OpenedRow): StoredMessage {
  switch (opened.state) {
    case 'open': {
      const { rowHash, sentAt, expiresAt, late, outOfOrder, reactions, pinnedBy, draftAuthor } = opened;
      const { v: _, forwarded, ...content } = openEnvelope(opened.content) ?? { v: 1, text: opened.content };
      const { rest, files } = splitFiles(row, content);
      return {
        ...byAuthor(row, draftAuthor),
        sealed: null,
        ...toMessageContent(rest),
        ...files,
        forwarded: forwarded === true,
        reactions: [...reactions],
        pinnedAt: pinnedBy === null ? null : row.pinnedAt,
        expiresAt: toExpiresAt(expiresAt),
        opening: {
          state: 'open',
          rowHash,
          sentAt,
          late,
          outOfOrder,
          pinnedBy,
          ...(draftAuthor !== null && { approvedBy: row.senderId }),
        },
      };
    }
    case 'plain':
      return {
        ...row,
        reactions: withSealed(row.reactions, opened.reactions ?? []),
        ...(opened.expiresAt !== undefined && { expiresAt: toExpiresAt(opened.expiresAt) }),
        opening: { state: 'plain' },
      };
    case 'refused':
      return { ...withoutClaims(row), opening: { state: 'refused', reason: opened.reason, row } };
    case 'deleted':
      return {
        ...withoutClaims(byAuthor(row, opened.draftAuthor)),
        opening: { state: 'deleted', by: opened.by, rowHash: opened.rowHash },
      };
    case 'earlier':
      return { ...withoutClaims(row), opening: { state: 'earlier', ...(opened.isDraft && { isDraft: true }) } };
    case 'expired':
      return { ...withoutClaims(row), opening: { state: opened.state } };
    case 'waiting':
    case 'removed':
      return { ...withoutClaims(row), opening: { state: opened.state, row } };
  }
}
