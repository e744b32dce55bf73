import { createHash } from 'node:crypto';
import type { UserId } from '@nolo/kit/ids';

/** Operator actions recorded in the audit. */
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

export interface NewAuditEntry {
  at: Date;
  /** Null for the command line. */
  operatorId: UserId | null;
  action: OperatorAction;
  /** User the action concerns. */
  userId: UserId | null;
  reason: string | null;
  /** Additional facts: short words and numbers, never personal data that might have to be erased. */
  details: Readonly<Record<string, string | number | boolean>>;
}

export interface AuditEntry extends Omit<NewAuditEntry, 'details' | 'action'> {
  position: number;
  action: string;
  /** Exact text that was hashed. */
  details: string;
  hash: Buffer;
}

/** Hash that precedes the first entry. */
export const auditChainStart = Buffer.alloc(32);

/** Returns canonical JSON: equal details give equal text, regardless of key order. */
export function toCanonicalDetails(details: NewAuditEntry['details']): string {
  return JSON.stringify(Object.fromEntries(Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/**
 * Returns the hash of an entry: SHA-256 over the previous entry's 32 bytes and a JSON list of its fields in UTF-8.
 * Changing an entry means changing all later ones, including the last hash, which others may have recorded.
 */
export function hashAuditEntry(before: Buffer, act: Omit<AuditEntry, 'hash'>): Buffer {
  const { position, at, operatorId, action, userId, reason, details } = act;
  const form = JSON.stringify([position, at.toISOString(), operatorId, action, userId, reason, details]);
  return createHash('sha256').update(before).update(form).digest();
}

export interface AuditVerification {
  /** Number of valid entries from the start. */
  entries: number;
  /** Hash of the last valid entry. */
  head: Buffer | undefined;
  /** Position of the first missing or modified entry. */
  brokenAt: number | undefined;
}

/** Continues verification with the next entries and stops at the first invalid one. */
export function verifyAuditChain(soFar: AuditVerification, acts: readonly AuditEntry[]): AuditVerification {
  let { entries, head } = soFar;
  for (const act of acts) {
    const position = entries + 1;
    const isRight = act.position === position && hashAuditEntry(head ?? auditChainStart, act).equals(act.hash);
    if (!isRight) return { entries, head, brokenAt: position };
    entries = position;
    head = act.hash;
  }
  return { entries, head, brokenAt: undefined };
}

/** Formats an entry as one line of a file, with everything that its hash covers. */
export function formatAuditEntry({ hash, at, ...act }: AuditEntry): string {
  return JSON.stringify({ ...act, at: at.toISOString(), hash: hash.toString('hex') });
}
