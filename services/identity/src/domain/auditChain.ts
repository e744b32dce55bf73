import { createHash } from 'node:crypto';
import type { UserId } from '@nolo/kit/ids';

/** What operators can do, as the audit calls it. */
export type OperatorAction =
  | 'operator_added'
  | 'operator_removed'
  | 'account_looked_up'
  | 'account_suspended'
  | 'account_closed'
  | 'account_reopened'
  | 'suspension_lifted'
  | 'account_signed_out'
  | 'account_deleted'
  | 'work_retried'
  | 'work_discarded'
  | 'room_ended'
  | 'group_looked_up'
  | 'host_barred'
  | 'host_unbarred'
  | 'mail_invitation_sent'
  | 'mail_invitation_withdrawn'
  | 'announcement_made'
  | 'announcement_ended'
  | 'setting_changed'
  | 'reports_read'
  | 'report_changed'
  | 'report_picture_seen';

export interface NewAct {
  at: Date;
  /** Null at the command line. */
  operatorId: UserId | null;
  action: OperatorAction;
  /** Whom it was about. */
  userId: UserId | null;
  reason: string | null;
  /** What else belongs to it: short words and numbers, nothing of which anybody must be forgotten. */
  details: Readonly<Record<string, string | number | boolean>>;
}

export interface Act extends Omit<NewAct, 'details' | 'action'> {
  position: number;
  action: string;
  /** As it was hashed. */
  details: string;
  hash: Buffer;
}

/** What the first entry follows. */
export const beforeFirst = Buffer.alloc(32);

/** The same for equal details, in whatever order they were written. */
export function detailsText(details: NewAct['details']): string {
  return JSON.stringify(Object.fromEntries(Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/**
 * The hash of an entry: SHA-256 over the 32 bytes of the one before and a JSON list of its fields in UTF-8. Whoever changes
 * an entry has to change all that follow, and with them the last hash, which others may have written down.
 */
export function hashAct(before: Buffer, act: Omit<Act, 'hash'>): Buffer {
  const { position, at, operatorId, action, userId, reason, details } = act;
  const form = JSON.stringify([position, at.toISOString(), operatorId, action, userId, reason, details]);
  return createHash('sha256').update(before).update(form).digest();
}

export interface Verified {
  /** How many are right, from the first on. */
  entries: number;
  /** The hash of the last of them. */
  head: Buffer | undefined;
  /** The first that is missing or another than it was. */
  brokenAt: number | undefined;
}

/** Goes on from what was right so far with the entries that follow; stops at the first that is not. */
export function verifyActs(soFar: Verified, acts: readonly Act[]): Verified {
  let { entries, head } = soFar;
  for (const act of acts) {
    const position = entries + 1;
    const isRight = act.position === position && hashAct(head ?? beforeFirst, act).equals(act.hash);
    if (!isRight) return { entries, head, brokenAt: position };
    entries = position;
    head = act.hash;
  }
  return { entries, head, brokenAt: undefined };
}

/** One entry as a line of a file, which says all that its hash was made of. */
export function actLine({ hash, at, ...act }: Act): string {
  return JSON.stringify({ ...act, at: at.toISOString(), hash: hash.toString('hex') });
}
