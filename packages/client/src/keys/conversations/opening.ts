import { Refusal, type Bytes, type EpochKey } from '@nolo/e2ee';
import { deviceIn, headerOf, type Conversation, type ConversationEpoch } from './conversation.ts';
import type { RowIndex } from './rowIndex.ts';
import type { RowRefusal } from './rowTypes.ts';

/** Parts that open rows, reactions, and pins (docs/encryption.md, section 5). */

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
export class EarlierRow extends Error {
  /** True if not the row is from then, but the draft that it approves. */
  readonly isDraft: boolean;

  constructor(isDraft = false) {
    super('an epoch from before');
    this.name = 'EarlierRow';
    this.isDraft = isDraft;
  }
}

/** Thrown for a row whose epoch this device does not know, or whose secret it lacks. */
export class ClosedRow extends Error {
  /** Number of the epoch. */
  readonly epoch: number;

  constructor(epoch: number) {
    super('no secret');
    this.name = 'ClosedRow';
    this.epoch = epoch;
  }
}

export const refuse = (reason: RowRefusal): never => {
  throw new RefusedRow(reason);
};

export function toReason(error: unknown): RowRefusal {
  if (error instanceof RefusedRow) return error.reason;
  if (error instanceof RangeError) return 'malformed';
  if (!(error instanceof Refusal)) throw error;
  if (error.code === 'malformed' || error.code === 'version') return error.code;
  return 'signature';
}

/** Knowledge that opens rows. */
export interface Opening {
  readonly conversation: Conversation;
  readonly index: RowIndex;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** True for drafts that wait for approval: they have no place, and others do not refer to them. */
  readonly areDrafts?: boolean;
}

export function epochAt({ conversation }: Pick<Opening, 'conversation'>, n: number): ConversationEpoch {
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
export function signKeyOf(epoch: ConversationEpoch, account: Bytes, device: Bytes): Bytes {
  return deviceIn(epoch, account, device)?.signKey ?? refuse('device');
}

/** Number of the newest epoch before a place. */
export const newestBefore = ({ conversation }: Opening, place: number, at: 'seq' | 'changeSeq'): number =>
  conversation.epochs.findLast((one) => one.place[at] < place)?.n ?? -1;

/** Returns true for rows of an epoch with a timer that stand after the next header. */
function isOvertaken({ conversation }: Opening, epoch: ConversationEpoch, place: number, at: 'seq' | 'changeSeq') {
  const next = conversation.epochs.find(({ n }) => n === epoch.n + 1);
  return headerOf(epoch).timer > 0 && next !== undefined && next.place[at] < place;
}

export function assertPlace(opening: Opening, epoch: ConversationEpoch, place: number, at: 'seq' | 'changeSeq'): void {
  if (place <= epoch.place[at] || isOvertaken(opening, epoch, place, at)) refuse('epoch');
}

export function keyOf({ n, hash, secret, isOwn }: ConversationEpoch): EpochKey {
  if (secret) return { n, headerHash: hash, secret };
  throw isOwn ? new ClosedRow(n) : new EarlierRow();
}
