import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

/** What operators see of accounts: nothing that people write, and nobody whom they know. */

const suspension = z.object({
  /** As the person reads it where they sign in. */
  reason: z.string(),
  since: time,
  /** null until somebody lifts it. */
  until: z.nullable(time),
});

export const adminAccount = z.object({
  id,
  /** null until the name step is done. */
  name: z.nullable(z.string()),
  phoneNumber: z.nullable(z.string()),
  email: z.nullable(z.string()),
  username: z.nullable(z.string()),
  createdAt: time,
  devices: z.int(),
  /** null where no device is signed in. */
  lastUsedAt: z.nullable(time),
  operator: z.boolean(),
  /** When the account, which is closed, is deleted; null for an open one. */
  deletesAt: z.nullable(time),
  suspension: z.nullable(suspension),
});
export type AdminAccount = z.infer<typeof adminAccount>;

/** One entry of the audit, with all that its hash was made of (docs/operating.md says how). */
export const operatorAct = z.object({
  position: z.int(),
  at: time,
  /** null where it was done at the command line. */
  operatorId: z.nullable(id),
  action: z.string(),
  /** The account that it was about. */
  userId: z.nullable(id),
  reason: z.nullable(z.string()),
  /** JSON, as it was hashed. */
  details: z.string(),
  /** SHA-256 in hexadecimal. */
  hash: z.string(),
});
export type OperatorAct = z.infer<typeof operatorAct>;

export const auditState = z.object({
  /** How many entries are right, from the first on. */
  entries: z.int(),
  /** The hash of the last of them, to be written down elsewhere; null where there is none. */
  head: z.nullable(z.string()),
  /** The first that is missing or was changed; null where all is right. */
  brokenAt: z.nullable(z.int()),
});
export type AuditState = z.infer<typeof auditState>;
