import type { Message } from '@nolo/api';
import { equalBytes, fromUuid, openMessageRow, toHex, toUuid, type Envelope } from '@nolo/e2ee';
import { fromText, toText } from '../wire.ts';
import { boundOfRow, isSealed, plainRow, type SealedRow } from './boundRows.ts';
import { otherBranchOf } from './branches.ts';
import { endingsOf, headerOf, type ConversationEpoch } from './conversation.ts';
import { disappearsAt, isOver } from './disappearing.ts';
import { addToIndex, checkFirst, type First } from './firstVersions.ts';
import { assertPresent, boundOfDraft, openApproved } from './heldDrafts.ts';
import { openAnnotations } from './openAnnotations.ts';
import { openErased } from './openErased.ts';
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

/** Returns the first version of an edited message, which may be from before the conversation was sealed. */
async function findFirst(opening: Opening, row: SealedRow, newest: Pick<First, 'epoch' | 'device'>): Promise<First> {
  if (row.seal.rowHash !== toText(plainRow)) return checkFirst(opening, row);
  if (opening.conversation.epochs.length === 0 || !mayBePlain(opening, row)) refuse('plain');
  return { ...newest, hash: plainRow, own: [], reply: null, approves: null };
}

/** Takes the place of a version, whatever the letter case of the row's ids. A message has one id and one place. */
function claim({ index }: Opening, row: SealedRow, of: Pick<IndexedRow, 'device' | 'clientMessageId'>, version = 0) {
  if (!index.claim(slotOf(of, version), toUuid(fromUuid(row.id)), row.seq)) refuse('twice');
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

/**
 * Opens a line of the server, such as a call. Lines do not disappear. A deleted one may stand in for a message, so the
 * timer of the header before it says whether it has expired.
 */
function openSystemLine({ conversation, now }: Opening, row: Message): OpenedRow {
  const { id: messageId, seq, deletedAt } = row;
  if (deletedAt === null) return { messageId, state: 'plain', expiresAt: null };
  const epoch = conversation.epochs.findLast(({ place }) => place.seq < seq);
  return { messageId, state: epoch && isOver(epoch, { row, now }) ? 'expired' : 'removed' };
}

/**
 * Returns true if a row may be plain: before the first header, or anywhere if neither this device nor the vault saw a
 * header. Header 0 says whether anybody wrote before it. A newcomer does not see header 0, so the list marks the plain
 * rows above their first header as not encrypted.
 */
function mayBePlain({ conversation: { epochs, isSeen } }: Opening, { seq }: Message): boolean {
  const [first] = epochs;
  if (!first) return !isSeen;
  return seq <= first.place.seq && (first.n > 0 || headerOf(first).reason !== 0);
}

function openPlain(opening: Opening, row: Message): OpenedRow {
  const { id: messageId, messageType, hidden, deletedAt } = row;
  if (hidden === true || mayBePlain(opening, row)) return { messageId, state: 'plain' };
  if (messageType === 'system') return openSystemLine(opening, row);
  return deletedAt === null ? { messageId, state: 'refused', reason: 'plain' } : { messageId, state: 'removed' };
}

/** Returns true for a message that is not sealed, but has or had sealed edits, reactions, or a pin. */
const isPlain = ({ seal, deletedAt }: SealedRow): boolean =>
  (seal.version === 0 || deletedAt !== null) && seal.rowHash === toText(plainRow);

/** Opens a message that is not sealed, with its sealed reactions and pin. */
async function openAnnotated(opening: Opening, row: SealedRow): Promise<Attempt> {
  const opened = openPlain(opening, row);
  if (opened.state !== 'plain' || row.deletedAt !== null) return { opened };
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

/** Returns when a message disappears. One that was not sealed at first has the time that the server gave it. */
function expiryOf({ now }: Opening, { row, first, envelope }: Read): number | null {
  if (first.hash !== plainRow) return disappearsAt(first.epoch, { row, now, sentAt: envelope.sentAt });
  return row.expiresAt === null ? null : Date.parse(row.expiresAt);
}

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
    expiresAt: expiryOf(opening, read),
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
