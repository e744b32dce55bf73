import { checkOrigin, equalBytes, fromUuid, readOrigin, toUuid, type Bytes } from '@nolo/e2ee';
import { fromText, toText } from '../wire.ts';
import { plainRow, type SealedRow } from './boundRows.ts';
import type { ConversationEpoch } from './conversation.ts';
import { assertPlace, epochAt, refuse, signKeyOf, type Opening } from './opening.ts';
import type { IndexedRow } from './rowBlocks.ts';

/** First versions of messages (docs/encryption.md, section 5). */

/** First version of a message: its row hash, and what of it matters for others. */
export interface First {
  readonly hash: Bytes;
  readonly epoch: ConversationEpoch;
  readonly device: Bytes;
  readonly own: readonly Bytes[];
  readonly reply: { readonly messageId: Bytes; readonly row: Bytes } | null;
  /** Row hash of the draft that it approves. */
  readonly approves: Bytes | null;
}

/** Checks what the server keeps of the first version of an edited or erased message. */
export async function checkFirst(opening: Opening, row: SealedRow): Promise<First> {
  const encoded = fromText(row.seal.origin ?? '');
  const bound = readOrigin(encoded);
  const epoch = epochAt(opening, bound.epoch);
  const author = fromUuid(row.senderId);
  const origin = await checkOrigin(encoded, signKeyOf(epoch, author, bound.device));
  const isSame =
    equalBytes(bound.conversation, opening.conversation.id) &&
    equalBytes(bound.headerHash, epoch.hash) &&
    equalBytes(bound.account, author) &&
    bound.version === 0 &&
    bound.type === row.messageType &&
    equalBytes(bound.clientMessageId, fromUuid(row.clientMessageId ?? '')) &&
    toText(origin.row) === row.seal.rowHash;
  if (!isSame) refuse('signature');
  assertPlace(opening, epoch, row.seq, 'seq');
  const { target } = bound;
  const replied = target?.kind === 0 ? toUuid(target.messageId) : null;
  const approves = target?.kind === 4 ? target.row : null;
  // An approval has the words of somebody else, which nobody edits.
  if (row.deletedAt === null && approves) refuse('target');
  if (row.deletedAt === null && replied !== (row.replyTo?.messageId ?? null)) refuse('target');
  const reply = target?.kind === 0 ? target : null;
  return { hash: origin.row, epoch, device: bound.device, own: bound.own, reply, approves };
}

/** @param seen row that its sender was shown, if the row is open in its first version */
export function addToIndex(
  { index }: Opening,
  row: SealedRow,
  first: First,
  seen: Bytes | null,
  draft: IndexedRow['draft'] = null,
): void {
  const { hash, epoch, device, own, reply } = first;
  const { seq, replyTo } = row;
  index.add({
    hash,
    device,
    epoch: epoch.n,
    own,
    seq,
    erasedAt: null,
    messageId: fromUuid(row.id),
    clientMessageId: fromUuid(row.clientMessageId ?? ''),
    seen,
    draft: draft && { device: draft.device, clientMessageId: draft.clientMessageId },
    reply: reply && replyTo && !equalBytes(reply.row, plainRow) ? { seq: replyTo.seq, hash: reply.row } : null,
  });
}
