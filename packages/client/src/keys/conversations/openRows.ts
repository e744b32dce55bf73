import type { Message } from '@nolo/api';
import {
  checkDeletion,
  checkOrigin,
  decodeStatement,
  equalBytes,
  fromUuid,
  hashOfDeletion,
  openMessageRow,
  readDeletion,
  readOrigin,
  toHex,
  toUuid,
  type Bytes,
  type Envelope,
} from '@nolo/e2ee';
import { fromText, toText } from '../wire.ts';
import { boundOfRow, isSealed, plainRow, type SealedRow } from './boundRows.ts';
import { otherBranchOf } from './branches.ts';
import { endingsOf, headerOf, membersOf, type ConversationEpoch } from './conversation.ts';
import { assertPresent, boundOfDraft, openApproved, readErasedDraft } from './heldDrafts.ts';
import { openAnnotations } from './openAnnotations.ts';
import {
  assertPlace,
  ClosedRow,
  EarlierRow,
  epochAt,
  keyOf,
  refuse,
  signKeyOf,
  toReason,
  type Opening,
} from './opening.ts';
import type { IndexedRow } from './rowBlocks.ts';
import { slotOf } from './rowIndex.ts';
import type { OpenedRow, RowRefusal } from './rowTypes.ts';

/** Opening rows of a conversation (docs/encryption.md, section 5). Needs neither storage nor network. */

/**
 * Refuses a new version that stands before its epoch's header, or in an epoch with a timer comes after the next one.
 * The place of the version decides, because a later reaction changes the row's change number.
 */
function assertEditPlace({ conversation }: Opening, epoch: ConversationEpoch, { seal: { place } }: SealedRow): void {
  const next = conversation.epochs.find(({ n }) => n === epoch.n + 1);
  const isAfterNext = next !== undefined && next.place.changeSeq < place;
  if (place <= epoch.place.changeSeq || (headerOf(epoch).timer > 0 && isAfterNext)) refuse('epoch');
}

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
async function checkFirst(opening: Opening, row: SealedRow): Promise<First> {
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

/** Returns the first version of an edited message, which may be from before the conversation was sealed. */
async function findFirst(opening: Opening, row: SealedRow, newest: Pick<First, 'epoch' | 'device'>): Promise<First> {
  if (row.seal.rowHash !== toText(plainRow)) return checkFirst(opening, row);
  const header = opening.conversation.epochs[0];
  if (!header || row.seq > header.place.seq) refuse('plain');
  return { ...newest, hash: plainRow, own: [], reply: null, approves: null };
}

/** Takes the place of a version, whatever the letter case of the row's ids. A message has one id and one place. */
function claim({ index }: Opening, row: SealedRow, of: Pick<IndexedRow, 'device' | 'clientMessageId'>, version = 0) {
  if (!index.claim(slotOf(of, version), toUuid(fromUuid(row.id)), row.seq)) refuse('twice');
}

/** @param seen row that its sender was shown, if the row is open in its first version */
function addToIndex(
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

/** Refuses a reply to another message than the one it was sealed for. */
function assertReply({ index }: Opening, reply: First['reply']): void {
  const known = reply && index.hashOf(toUuid(reply.messageId));
  if (reply && known && !equalBytes(known, reply.row) && !equalBytes(reply.row, plainRow)) refuse('target');
}

export interface Read {
  readonly row: SealedRow;
  readonly first: First;
  readonly envelope: Envelope;
  /** Draft that the row approves. */
  readonly approved: Awaited<ReturnType<typeof openApproved>> | null;
  /** Epoch of the newest version. */
  readonly epoch: ConversationEpoch;
  /** True for a row of a branch that this device left (section 4, forks). */
  readonly isLeft?: boolean;
}

/** Names a row with all that it seals. Its reactions and pins are looked at each time. */
const fingerprintOf = ({ areDrafts = false }: Opening, row: SealedRow): string =>
  JSON.stringify([areDrafts, { ...row, reactions: [], seal: { ...row.seal, annotations: [] } }]);

/** Knowledge that opens rows, with those that were opened before. */
export interface RowsOpening extends Opening {
  readonly opened: Map<string, Read>;
}

/** Opens a row, or returns what was opened before. Rows that disappear are not kept. */
async function readOnce(opening: RowsOpening, row: SealedRow): Promise<Read> {
  const fingerprint = fingerprintOf(opening, row);
  const known = opening.opened.get(fingerprint);
  if (known) return { ...known, row };
  const read = await readRow(opening, row);
  if (headerOf(read.first.epoch).timer === 0) keepOpened(opening.opened, fingerprint, read);
  return read;
}

const maxOpened = 2_000;

function keepOpened(opened: Map<string, Read>, fingerprint: string, read: Read): void {
  const [oldest] = opened.keys();
  if (opened.size >= maxOpened && oldest !== undefined) opened.delete(oldest);
  opened.set(fingerprint, read);
}

/** Opens the newest version of a message, and checks the first one. */
async function readRow(opening: Opening, row: SealedRow): Promise<Read> {
  const { conversation } = opening;
  const { seal } = row;
  const epoch = epochAt(opening, seal.epoch);
  const device = fromUuid(seal.deviceId);
  const signKey = signKeyOf(epoch, fromUuid(row.senderId), device);
  const isEdit = seal.version > 0;
  const isDraft = opening.areDrafts === true;
  if (seal.held !== isDraft) refuse('held');
  if (!isDraft) {
    if (isEdit) assertEditPlace(opening, epoch, row);
    else assertPlace(opening, epoch, row.seq, 'seq');
  }
  const bound = (isDraft ? boundOfDraft : boundOfRow)(conversation.id, row, epoch);
  const [{ envelope, row: hash }, checked] = await Promise.all([
    openMessageRow(fromText(row.sealed ?? ''), keyOf(epoch), bound, signKey),
    isEdit ? findFirst(opening, row, { epoch, device }) : null,
  ]);
  const reply = bound.target?.kind === 0 ? bound.target : null;
  const first = checked ?? { hash, epoch, device, own: bound.own, reply, approves: null };
  if (toText(first.hash) !== seal.rowHash) refuse('signature');
  const isApproval = !isDraft && bound.target?.kind === 4;
  const approved = isApproval ? await openApproved(opening, row, epoch, bound, envelope.content) : null;
  if (!isDraft) {
    const clientMessageId = fromUuid(row.clientMessageId ?? '');
    claim(opening, row, { device: first.device, clientMessageId });
    if (isEdit) claim(opening, row, { device, clientMessageId }, seal.version);
    if (approved) claim(opening, row, approved);
    if (first.hash !== plainRow) addToIndex(opening, row, first, isEdit ? null : envelope.seen, approved);
  }
  return { row, first, envelope, approved, epoch };
}

/**
 * Returns true if the newest version is late by its epoch, although the first one may not be. Looked at each time:
 * the header that ended the epoch may have come after the row was opened.
 */
function isLateEdit(opening: Opening, { row, epoch }: Pick<Read, 'row' | 'epoch'>): boolean {
  return row.seal.version > 0 && isEndedBy(opening, epoch, row.seal.place);
}

/** Returns true if an epoch had ended for somebody before the change with this number. */
function isEndedBy({ conversation }: Opening, epoch: ConversationEpoch, changeSeq: number): boolean {
  const after = conversation.epochs.findLast(({ place }) => place.changeSeq < changeSeq)?.n ?? -1;
  return endingsOf(conversation).some((n) => epoch.n < n && n <= after);
}

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

async function openErased(opening: Opening, row: SealedRow): Promise<OpenedRow> {
  const messageId = row.id;
  const erased = await checkErased(opening, row);
  if (erased) {
    const { by, first } = erased;
    const draftAuthor = erased.draftAuthor && toUuid(erased.draftAuthor);
    return { messageId, state: 'deleted', by, rowHash: toText(first.hash), draftAuthor };
  }
  const isExpired = row.expiresAt !== null && Date.parse(row.expiresAt) <= Date.parse(row.deletedAt ?? '');
  const epoch = epochAt(opening, readOrigin(fromText(row.seal.origin ?? '')).epoch);
  return { messageId, state: isExpired && headerOf(epoch).timer > 0 ? 'expired' : 'removed' };
}

/** Rows may be plain before the first header, and without one unless another device of the account saw it. */
function openPlain({ conversation }: Opening, { id, seq, messageType, hidden, deletedAt }: Message): OpenedRow {
  const first = conversation.epochs[0];
  const isBefore = first ? seq <= first.place.seq : !conversation.isSeen;
  if (isBefore || messageType === 'system' || hidden === true) return { messageId: id, state: 'plain' };
  if (deletedAt !== null) return { messageId: id, state: 'removed' };
  return { messageId: id, state: 'refused', reason: 'plain' };
}

/** Returns true for a message that is not sealed, but has sealed reactions or a pin. */
const isPlain = ({ seal, deletedAt }: SealedRow): boolean =>
  seal.version === 0 && deletedAt === null && seal.rowHash === toText(plainRow);

/** Opens a message that is not sealed, with its sealed reactions and pin. */
async function openAnnotated(opening: Opening, row: SealedRow): Promise<Attempt> {
  const opened = openPlain(opening, row);
  if (opened.state !== 'plain') return { opened };
  const { reactions, closed } = await openAnnotations(opening, row, plainRow);
  return { opened: { ...opened, reactions }, closed };
}

interface Attempt {
  readonly opened?: OpenedRow;
  readonly read?: Read;
  /** Epochs that are unknown or closed. */
  readonly closed?: readonly number[];
}

/** Opens a row of a branch that this device left. Such rows stay, folded. */
async function attemptLeft(opening: Opening, row: SealedRow): Promise<Attempt | undefined> {
  const { conversation } = opening;
  const epochs = row.deletedAt === null ? otherBranchOf(conversation, row.seal.epoch) : undefined;
  if (!epochs) return undefined;
  try {
    return {
      read: { ...(await readRow({ ...opening, conversation: { ...conversation, epochs } }, row)), isLeft: true },
    };
  } catch (error) {
    // Anything else than a row that does not open there is thrown.
    if (!(error instanceof ClosedRow || error instanceof EarlierRow)) toReason(error);
    return undefined;
  }
}

/**
 * Notes that a row stands at its place, with the hash that it claims. One that is not open is shown as such, so a false
 * claim hides nothing. Of a row that a newer app sealed nothing is known.
 */
function note({ conversation, index, areDrafts = false }: Opening, row: Message, opened: OpenedRow | undefined): void {
  const isOfNewerApp = opened?.state === 'refused' && opened.reason === 'version';
  const isElsewhere = row.conversationId !== toUuid(conversation.id);
  if (areDrafts || isElsewhere || isOfNewerApp || row.hidden === true) return;
  const rowHash = row.seal?.rowHash ?? toText(plainRow);
  index.mark(row.seq, hashText.test(rowHash) && rowHash !== toText(plainRow) ? fromText(rowHash) : null);
}

/** 32 bytes. */
const hashText = /^[\w-]{43}$/;

async function attempt(opening: RowsOpening, row: Message): Promise<Attempt> {
  if (row.conversationId !== toUuid(opening.conversation.id)) return { opened: refusedAs(row, 'target') };
  const { facts } = opening.conversation;
  if (facts?.type === 'direct' && !facts.memberIds.includes(row.senderId)) return { opened: refusedAs(row, 'device') };
  if (!isSealed(row) || row.hidden === true) return { opened: openPlain(opening, row) };
  try {
    if (isPlain(row)) return await openAnnotated(opening, row);
    if (row.deletedAt !== null) return { opened: await openErased(opening, row) };
    return { read: await readOnce(opening, row) };
  } catch (error) {
    if (error instanceof ClosedRow) return { closed: [error.epoch], opened: { messageId: row.id, state: 'waiting' } };
    if (error instanceof EarlierRow)
      return { opened: { messageId: row.id, state: 'earlier', ...(error.isDraft && { isDraft: true }) } };
    const reason = toReason(error);
    return (await attemptLeft(opening, row)) ?? { opened: refusedAs(row, reason) };
  }
}

const refusedAs = ({ id }: Message, reason: RowRefusal): OpenedRow => ({ messageId: id, state: 'refused', reason });

async function finish(opening: Opening, read: Read): Promise<Attempt> {
  const { row, first, envelope, approved } = read;
  const { index, conversation } = opening;
  try {
    assertReply(opening, approved ? approved.reply : first.reply);
    if (opening.areDrafts) assertPresent(opening, row);
  } catch (error) {
    return { opened: refusedAs(row, toReason(error)) };
  }
  const { closed, ...annotations } = await openAnnotations(opening, row, first.hash);
  const named = [...first.own, ...(envelope.seen ? [envelope.seen] : []), ...(first.reply ? [first.reply.row] : [])];
  // A later version names rows of its own time.
  const isEdit = row.seal.version > 0;
  const opened: OpenedRow = {
    messageId: row.id,
    state: 'open',
    content: approved?.content ?? envelope.content,
    draftAuthor: approved && toUuid(approved.author),
    sentAt: envelope.sentAt,
    rowHash: toText(first.hash),
    late: read.isLeft === true || isLateEdit(opening, read) || index.late(conversation).has(toHex(first.hash)),
    outOfOrder: !isEdit && index.standsAfter(named, row),
    ...annotations,
  };
  return { opened, closed };
}

export interface OpenedRows {
  readonly rows: readonly OpenedRow[];
  /** Numbers of epochs that are unknown, or whose secret this device lacks. */
  readonly closed: readonly number[];
}

/** Opens rows with what this device knows. All of them are read before any is judged by others. */
export async function openRows(opening: RowsOpening, rows: readonly Message[]): Promise<OpenedRows> {
  const attempts = await Promise.all(rows.map((row) => attempt(opening, row)));
  for (const [at, row] of rows.entries()) note(opening, row, attempts[at]?.opened);
  const done = await Promise.all(attempts.map((one) => (one.read ? finish(opening, one.read) : Promise.resolve(one))));
  return {
    rows: done.flatMap(({ opened }) => opened ?? []),
    closed: [...new Set(done.flatMap(({ closed }) => closed ?? []))],
  };
}
