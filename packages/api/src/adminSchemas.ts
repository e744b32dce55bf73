import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

/** Accounts as operators see them: without anything that users write, and without their contacts. */

const suspension = z.object({
  /** Reason that the account's owner sees at sign-in. */
  reason: z.string(),
  since: time,
  /** null until an operator lifts it. */
  until: z.nullable(time),
});

export const adminAccount = z.object({
  id,
  /** null until the user completes the name step. */
  name: z.nullable(z.string()),
  phoneNumber: z.nullable(z.string()),
  email: z.nullable(z.string()),
  username: z.nullable(z.string()),
  createdAt: time,
  devices: z.int(),
  /** null if no device is signed in. */
  lastUsedAt: z.nullable(time),
  operator: z.boolean(),
  /** Deletion time of a closed account; null for an open one. */
  deletesAt: z.nullable(time),
  suspension: z.nullable(suspension),
});
export type AdminAccount = z.infer<typeof adminAccount>;

/** Audit entry, with everything its hash covers (docs/operating/operators.md describes how). */
export const operatorAuditEntry = z.object({
  position: z.int(),
  at: time,
  /** null if it was done at the command line. */
  operatorId: z.nullable(id),
  action: z.string(),
  /** Account that the action affected. */
  userId: z.nullable(id),
  reason: z.nullable(z.string()),
  /** JSON, exactly as hashed. */
  details: z.string(),
  /** SHA-256 in hexadecimal. */
  hash: z.string(),
});
export type OperatorAuditEntry = z.infer<typeof operatorAuditEntry>;

export const auditLogVerification = z.object({
  /** Number of valid entries, counted from the first. */
  entries: z.int(),
  /** Hash of the last valid entry, to be recorded elsewhere; null if there are no entries. */
  head: z.nullable(z.string()),
  /** First entry that is missing or was altered; null if all are valid. */
  brokenAt: z.nullable(z.int()),
});
export type AuditLogVerification = z.infer<typeof auditLogVerification>;
