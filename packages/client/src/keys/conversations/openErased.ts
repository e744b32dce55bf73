import {
  checkDeletion,
  decodeStatement,
  equalBytes,
  fromUuid,
  hashOfDeletion,
  readDeletion,
  readOrigin,
  toHex,
  toUuid,
  type Bytes,
} from '@nolo/e2ee';
import { fromText, toText } from '../wire.ts';
import type { SealedRow } from './boundRows.ts';
import { membersOf } from './conversation.ts';
import { isOver } from './disappearing.ts';
import { addToIndex, checkFirst, type First } from './firstVersions.ts';
import { readErasedDraft } from './heldDrafts.ts';
import { epochAt, signKeyOf, type Opening } from './opening.ts';
import type { OpenedRow } from './rowTypes.ts';

/** Tombstones of sealed messages (docs/encryption.md, section 5, Order and gaps). */

interface Erased {
  readonly by: string;
  readonly first: First;
  readonly draftAuthor: Bytes | null;
}

/** Id of nobody: only admins and owners delete the approval of a draft of which the server kept nothing. */
const nobody: Bytes = new Uint8Array(16);

/** Checks the signed deletion of an erased message. Returns the account that signed it, or null if none counts. */
async function checkErased(opening: Opening, row: SealedRow): Promise<Erased | null> {
  const first = await checkFirst(opening, row);
  const draft = first.approves && (await readErasedDraft(opening, row, first.approves));
  const draftAuthor = draft && draft.author;
  addToIndex(opening, row, first, null, draft);
  if (row.seal.deletion === null) return null;
  const statement = decodeStatement(fromText(row.seal.deletion));
  const { n, account, device, row: target, messageId, own } = readDeletion(statement);
  const epoch = epochAt(opening, n);
  const signKey = signKeyOf(epoch, account, device);
  await checkDeletion(statement, {
    author: first.approves ? (draftAuthor ?? nobody) : fromUuid(row.senderId),
    header: { conversation: opening.conversation.id, n, body: epoch.statement.body },
    members: membersOf(epoch),
    list: { account, devices: [{ id: device, signKey }] },
  });
  if (!equalBytes(target, first.hash) || toUuid(messageId) !== row.id) return null;
  const hash = await hashOfDeletion(statement);
  const { seq, changeSeq: erasedAt } = row;
  const ids = { messageId: fromUuid(row.id), clientMessageId: fromUuid(row.clientMessageId ?? '') };
  opening.index.add({ hash, device, epoch: n, own, seq, erasedAt, ...ids, seen: null, reply: null, draft: null });
  const isLate = opening.index.late(opening.conversation).has(toHex(hash));
  return isLate ? null : { by: toUuid(account), first, draftAuthor };
}

/** Opens a tombstone. The header's timer decides whether the time of the message was over. */
export async function openErased(opening: Opening, row: SealedRow): Promise<OpenedRow> {
  const messageId = row.id;
  const erased = await checkErased(opening, row);
  if (erased) {
    const { by, first } = erased;
    const draftAuthor = erased.draftAuthor && toUuid(erased.draftAuthor);
    return { messageId, state: 'deleted', by, rowHash: toText(first.hash), draftAuthor };
  }
  const epoch = epochAt(opening, readOrigin(fromText(row.seal.origin ?? '')).epoch);
  return { messageId, state: isOver(epoch, { row, now: opening.now }) ? 'expired' : 'removed' };
}
