import type { Message, SealedAnnotation } from '@nolo/api';
import {
  checkDeletion,
  checkOrigin,
  decodeStatement,
  equalBytes,
  fromUuid,
  hashOfDeletion,
  openMessage,
  openMessageRow,
  readDeletion,
  readOrigin,
  Refusal,
  toHex,
  toUuid,
  type Bytes,
  type Envelope,
  type EpochKey,
} from '@nolo/e2ee';
import { fromText, toText } from '../wire.ts';
import { boundOfAnnotation, boundOfRow, isSealed, plainRow, type SealedRow } from './boundRows.ts';
import { deviceIn, endingsOf, headerOf, membersOf, type Conversation, type ConversationEpoch } from './conversation.ts';
import type { RowIndex } from './rowIndex.ts';
import type { OpenedReaction, OpenedRow, RowRefusal } from './types.ts';

/** Opening rows of a conversation (docs/encryption.md, section 5). Needs neither storage nor network. */

/** Thrown for a row that is not shown. */
class RefusedRow extends Error {
  readonly reason: RowRefusal;

  constructor(reason: RowRefusal) {
    super(reason);
    this.name = 'RefusedRow';
    this.reason = reason;
  }
}

/** Thrown for a row of an epoch that the own account was not in. */
class EarlierRow extends Error {}

/** Thrown for a row whose epoch this device does not know, or whose secret it lacks. */
class ClosedRow extends Error {
  /** Number of the epoch. */
  readonly epoch: number;

  constructor(epoch: number) {
    super('no secret');
    this.name = 'ClosedRow';
    this.epoch = epoch;
  }
}

const refuse = (reason: RowRefusal): never => {
  throw new RefusedRow(reason);
};

function toReason(error: unknown): RowRefusal {
  if (error instanceof RefusedRow) return error.reason;
  if (error instanceof RangeError) return 'malformed';
  if (!(error instanceof Refusal)) throw error;
  if (error.code === 'malformed' || error.code === 'version') return error.code;
  return 'signature';
}

export interface Opening {
  readonly conversation: Conversation;
  readonly index: RowIndex;
  /** Rows that were opened before. */
  readonly opened: Map<string, Read>;
  /** True for drafts that wait for approval: they have no place, and others do not refer to them. */
  readonly areDrafts?: boolean;
}

function epochAt({ conversation }: Opening, n: number): ConversationEpoch {
  const epoch = conversation.epochs.find((one) => one.n === n);
  if (epoch) return epoch;
  const [first, last] = [conversation.epochs[0], conversation.epochs.at(-1)];
  // An epoch from before this device's account entered cannot be checked.
  if (first && n < first.n) throw new EarlierRow();
  if (last && n > last.n + maxAhead) return refuse('epoch');
  throw new ClosedRow(n);
}

/** Most epochs that a row may be ahead of the known ones. */
const maxAhead = 10_000;

/** Signing key of the device that sealed a row as this account. */
function signKeyOf(epoch: ConversationEpoch, account: Bytes, device: Bytes): Bytes {
  return deviceIn(epoch, account, device)?.signKey ?? refuse('device');
}

/** Number of the newest epoch before a place. */
const newestBefore = ({ conversation }: Opening, place: number, at: 'seq' | 'changeSeq'): number =>
  conversation.epochs.findLast((one) => one.place[at] < place)?.n ?? -1;

/** Returns true for rows of an epoch with a timer that stand after the next header. */
function isOvertaken({ conversation }: Opening, epoch: ConversationEpoch, place: number, at: 'seq' | 'changeSeq') {
  const next = conversation.epochs.find(({ n }) => n === epoch.n + 1);
  return headerOf(epoch).timer > 0 && next !== undefined && next.place[at] < place;
}

function assertPlace(opening: Opening, epoch: ConversationEpoch, place: number, at: 'seq' | 'changeSeq'): void {
  if (place <= epoch.place[at] || isOvertaken(opening, epoch, place, at)) refuse('epoch');
}

function keyOf({ n, hash, secret, isOwn }: ConversationEpoch): EpochKey {
  if (secret) return { n, headerHash: hash, secret };
  throw isOwn ? new ClosedRow(n) : new EarlierRow();
}

/** First version of a message: its row hash, and what of it matters for others. */
export interface First {
  readonly hash: Bytes;
  readonly epoch: ConversationEpoch;
  readonly device: Bytes;
  readonly own: readonly Bytes[];
  readonly reply: { readonly messageId: Bytes; readonly row: Bytes } | null;
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
  if (row.deletedAt === null && replied !== (row.replyTo?.messageId ?? null)) refuse('target');
  return { hash: origin.row, epoch, device: bound.device, own: bound.own, reply: target?.kind === 0 ? target : null };
}

function claim({ index }: Opening, row: SealedRow, device: string, version: number): void {
  if (!index.claim(`${device}/${row.clientMessageId}/${version}`, row.id)) refuse('twice');
}

function addToIndex(opening: Opening, row: SealedRow, { hash, epoch, device, own }: First): void {
  const after = newestBefore(opening, row.seq, 'seq');
  const { held } = row.seal;
  opening.index.add({ hash, device, epoch: epoch.n, after, own, held, messageId: row.id, place: row.seq });
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
  /** True if the newest version is late by its epoch, although the first one may not be. */
  readonly isLateEdit: boolean;
}

/** Names a row with all that it seals. Its reactions and pins are looked at each time. */
const fingerprintOf = ({ areDrafts = false }: Opening, row: SealedRow): string =>
  JSON.stringify([areDrafts, { ...row, reactions: [], seal: { ...row.seal, annotations: [] } }]);

/** Opens a row, or returns what was opened before. Rows that disappear are not kept. */
async function readOnce(opening: Opening, row: SealedRow): Promise<Read> {
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
  if (!isDraft) assertPlace(opening, epoch, isEdit ? row.changeSeq : row.seq, isEdit ? 'changeSeq' : 'seq');
  const served = boundOfRow(conversation.id, row, epoch);
  // The server does not say which message a draft replies to. The author signed it.
  const signed = isDraft && seal.origin !== null ? readOrigin(fromText(seal.origin)) : served;
  const bound = { ...served, target: signed.target };
  const [{ envelope, row: hash }, checked] = await Promise.all([
    openMessageRow(fromText(row.sealed ?? ''), keyOf(epoch), bound, signKey),
    isEdit ? checkFirst(opening, row) : null,
  ]);
  const reply = bound.target?.kind === 0 ? bound.target : null;
  const first = checked ?? { hash, epoch, device, own: bound.own, reply };
  if (toText(first.hash) !== seal.rowHash) refuse('signature');
  if (!isDraft) {
    claim(opening, row, toUuid(first.device), 0);
    if (isEdit) claim(opening, row, seal.deviceId, seal.version);
    addToIndex(opening, row, first);
  }
  const editedAt = row.editedAt === null ? null : Date.parse(row.editedAt);
  const late = isEdit && editedAt !== null && isEndedBy(opening, epoch, editedAt);
  return { row, first, envelope, isLateEdit: late };
}

/** Returns true if an epoch had ended for somebody at a time of the server. */
function isEndedBy({ conversation }: Opening, epoch: ConversationEpoch, at: number): boolean {
  const after = conversation.epochs.findLast((one) => one.place.at < at)?.n ?? -1;
  return endingsOf(conversation).some((n) => epoch.n < n && n <= after);
}

/** Opens a reaction or pin. Returns null for one that does not count. */
async function openAnnotation(
  opening: Opening,
  { id }: SealedRow,
  hash: Bytes,
  annotation: SealedAnnotation,
): Promise<string | null> {
  try {
    const epoch = epochAt(opening, annotation.epoch);
    const bound = boundOfAnnotation(opening.conversation.id, fromUuid(id), hash, annotation, epoch);
    assertPlace(opening, epoch, annotation.place, 'changeSeq');
    const after = newestBefore(opening, annotation.place, 'changeSeq');
    if (endingsOf(opening.conversation).some((n) => epoch.n < n && n <= after)) return null;
    const signKey = signKeyOf(epoch, bound.account, bound.device);
    return (await openMessage(fromText(annotation.sealed), keyOf(epoch), bound, signKey)).content;
  } catch (error) {
    if (error instanceof ClosedRow || error instanceof EarlierRow) return null;
    toReason(error);
    return null;
  }
}

async function openAnnotations(opening: Opening, row: SealedRow, hash: Bytes) {
  const reactions: OpenedReaction[] = [];
  let pinnedBy: string | null = null;
  for (const annotation of row.seal.annotations) {
    const content = await openAnnotation(opening, row, hash, annotation);
    if (content === null || content === '') continue;
    if (annotation.kind === 'reaction') reactions.push({ userId: annotation.userId, emoji: content });
    else if (content === '1') pinnedBy = annotation.userId;
  }
  return { reactions, pinnedBy };
}

/** Checks the signed deletion of an erased message. Returns the account that signed it, or null if none counts. */
async function checkErased(opening: Opening, row: SealedRow): Promise<{ by: string; first: First } | null> {
  const first = await checkFirst(opening, row);
  addToIndex(opening, row, first);
  if (row.seal.deletion === null) return null;
  const statement = decodeStatement(fromText(row.seal.deletion));
  const { n, account, device, row: target, messageId, own } = readDeletion(statement);
  const epoch = epochAt(opening, n);
  const signKey = signKeyOf(epoch, account, device);
  await checkDeletion(statement, {
    author: fromUuid(row.senderId),
    header: { conversation: opening.conversation.id, n, body: epoch.statement.body },
    members: membersOf(epoch),
    list: { account, devices: [{ id: device, signKey }] },
  });
  if (!equalBytes(target, first.hash) || toUuid(messageId) !== row.id) return null;
  const after = newestBefore(opening, row.changeSeq, 'changeSeq');
  const hash = await hashOfDeletion(statement);
  opening.index.add({ hash, device, epoch: n, after, own, held: false, messageId: '', place: row.changeSeq });
  return opening.index.late(opening.conversation).has(toHex(hash)) ? null : { by: toUuid(account), first };
}

async function openErased(opening: Opening, row: SealedRow): Promise<OpenedRow> {
  const messageId = row.id;
  const erased = await checkErased(opening, row);
  if (erased) return { messageId, state: 'deleted', by: erased.by, rowHash: toText(erased.first.hash) };
  const isExpired = row.expiresAt !== null && Date.parse(row.expiresAt) <= Date.parse(row.deletedAt ?? '');
  const epoch = epochAt(opening, readOrigin(fromText(row.seal.origin ?? '')).epoch);
  return { messageId, state: isExpired && headerOf(epoch).timer > 0 ? 'expired' : 'removed' };
}

function openPlain({ conversation }: Opening, { id, seq, messageType, hidden, deletedAt }: Message): OpenedRow {
  const first = conversation.epochs[0];
  const isBefore = !first || seq <= first.place.seq;
  if (isBefore || messageType === 'system' || hidden === true) return { messageId: id, state: 'plain' };
  if (deletedAt !== null) return { messageId: id, state: 'removed' };
  return { messageId: id, state: 'refused', reason: 'plain' };
}

interface Attempt {
  readonly opened?: OpenedRow;
  readonly read?: Read;
  /** Epoch that is unknown or closed. */
  readonly closed?: number;
}

async function attempt(opening: Opening, row: Message): Promise<Attempt> {
  if (row.conversationId !== toUuid(opening.conversation.id)) return { opened: refusedAs(row, 'target') };
  const { facts } = opening.conversation;
  if (facts?.type === 'direct' && !facts.memberIds.includes(row.senderId)) return { opened: refusedAs(row, 'device') };
  if (!isSealed(row) || row.hidden === true) return { opened: openPlain(opening, row) };
  try {
    if (row.deletedAt !== null) return { opened: await openErased(opening, row) };
    return { read: await readOnce(opening, row) };
  } catch (error) {
    if (error instanceof ClosedRow) return { closed: error.epoch, opened: { messageId: row.id, state: 'waiting' } };
    if (error instanceof EarlierRow) return { opened: { messageId: row.id, state: 'earlier' } };
    return { opened: refusedAs(row, toReason(error)) };
  }
}

const refusedAs = ({ id }: Message, reason: RowRefusal): OpenedRow => ({ messageId: id, state: 'refused', reason });

async function finish(opening: Opening, { row, first, envelope, isLateEdit }: Read): Promise<OpenedRow> {
  const { index, conversation } = opening;
  try {
    assertReply(opening, first.reply);
  } catch (error) {
    return refusedAs(row, toReason(error));
  }
  const named = [...first.own, ...(envelope.seen ? [envelope.seen] : []), ...(first.reply ? [first.reply.row] : [])];
  // A later version names rows of its own time.
  const isEdit = row.seal.version > 0;
  return {
    messageId: row.id,
    state: 'open',
    content: envelope.content,
    sentAt: envelope.sentAt,
    rowHash: toText(first.hash),
    late: isLateEdit || index.late(conversation).has(toHex(first.hash)),
    outOfOrder: !isEdit && index.standsAfter(named, row.seq),
    ...(await openAnnotations(opening, row, first.hash)),
  };
}

export interface OpenedRows {
  readonly rows: readonly OpenedRow[];
  /** Numbers of epochs that are unknown, or whose secret this device lacks. */
  readonly closed: readonly number[];
}

/** Opens rows with what this device knows. All of them are read before any is judged by others. */
export async function openRows(opening: Opening, rows: readonly Message[]): Promise<OpenedRows> {
  const attempts = await Promise.all(rows.map((row) => attempt(opening, row)));
  const opened = await Promise.all(
    attempts.map(({ opened: done, read }) => (read ? finish(opening, read) : Promise.resolve(done))),
  );
  return {
    rows: opened.flatMap((one) => one ?? []),
    closed: [...new Set(attempts.flatMap(({ closed }) => closed ?? []))],
  };
}
