import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { bytesOf, bytesUpTo } from './bytes.ts';
import { id, message, time, unapprovedMessageReply } from './schemas.ts';

/** Epochs of conversations, and the vault (docs/encryption.md, sections 4 and 6). */

const signature = bytesOf(64);

/** Id that stands for the recovery key where a device is expected. */
export const recoveryKeyId = '00000000-0000-0000-0000-000000000000';

/** Header of a new epoch, with what belongs to it. */
export const newEpoch = z.object({
  header: z.object({ body: bytesUpTo(limits.epochHeaderBytes), signature }),
  /** Members that the header's roster hash covers, in canonical encoding. */
  roster: bytesUpTo(limits.epochRosterBytes),
  /** Box of each device in the roster. In the vault, the recovery key has one too. */
  boxes: z
    .array(z.object({ deviceId: id, box: bytesUpTo(limits.epochBoxBytes) }))
    .check(z.maxLength(limits.epochBoxes)),
  /** Only in the vault, and there in each epoch but the first one and a restart: the secret before, sealed. */
  previousSecret: z.optional(bytesUpTo(limits.previousSecretBytes)),
});
export type NewEpoch = z.infer<typeof newEpoch>;

/** Body of a change of members or settings, with the epoch that contains it. */
export const withEpoch = z.object({ epoch: z.optional(newEpoch) });

/** Maximum size of a body with an epoch: boxes for a large group, and the first message. */
export const epochBody = { bodyBytes: 1_572_864, bodyEntries: 3 * limits.epochBoxes + limits.jsonEntries } as const;

/** Signed addition to a group: change 0 with its evidence, in canonical encoding (docs/encryption.md, section 4). */
export const signedAddition = bytesUpTo(limits.additionBytes);

/** Refusals of a change that needs an epoch, or has one. */
export const epochErrors = ['encryption_required', 'device_required', 'epoch_stale', 'epoch_refused'] as const;

/** Epoch as the server keeps it. Absent content is null. */
export const epoch = z.object({
  n: z.int(),
  hash: z.string(),
  body: z.string(),
  signature: z.string(),
  /** Members, in canonical encoding. Always present in a vault; otherwise null unless it was asked for. */
  roster: z.nullable(z.string()),
  /** Box of the session's device. */
  box: z.nullable(z.string()),
  /** Box that another device sealed after a nack of this device. */
  answer: z.nullable(z.string()),
  /** Box of the recovery key; only in the vault. */
  recoveryBox: z.nullable(z.string()),
  previousSecret: z.nullable(z.string()),
  /** `seq` and `changeSeq` of the conversation when the epoch began, and when it did; null in a vault. */
  seq: z.nullable(z.int()),
  changeSeq: z.nullable(z.int()),
  at: z.nullable(time),
});
export type Epoch = z.infer<typeof epoch>;

/**
 * Members and settings that the next epoch of a conversation must have, as the server knows them. In a private group,
 * it may lack members whom the newest one lacks too, because nobody signed their addition.
 */
export const epochTarget = z.object({
  type: z.enum(['direct', 'group']),
  /** Members in ascending order of their ids. Roles: 0 member, 1 admin, 2 owner. */
  members: z.array(z.object({ userId: id, role: z.int() })),
  /** 1 if the code admits directly. */
  admission: z.int(),
  /** Seconds, or 0. */
  timer: z.int(),
  /** Signed leaves that count and that no epoch contains yet: change 2 with its evidence, in canonical encoding. */
  leaves: z.array(z.string()),
  /**
   * Signed additions of members whom no epoch contains yet, in ascending order of accounts: change 0 with its evidence,
   * in canonical encoding. The server checked their form only.
   */
  additions: z.array(z.string()),
  /** Number of the newest epoch; null without one. */
  n: z.nullable(z.int()),
  /** True while somebody lost access and no epoch says so: no message is accepted. */
  removalPending: z.boolean(),
});
export type EpochTarget = z.infer<typeof epochTarget>;

export const acceptedEpoch = z.object({
  n: z.int(),
  hash: z.string(),
  /** The stored message, if the request had one. */
  message: z.optional(z.union([message, unapprovedMessageReply])),
});

/** Request of a device that cannot open its box. */
export const nack = z.object({ body: bytesUpTo(limits.nackBytes), signature });

/** Row of the vault: a sealed record. */
export const newVaultRow = z.object({
  clientMessageId: id,
  /** `own` of the sealed message: row hashes of this device's earlier rows that no row named. */
  own: z.array(bytesOf(32)).check(z.maxLength(limits.vaultOwnRows)),
  sealed: bytesUpTo(limits.vaultRowBytes),
});

export const vaultRow = z.object({
  /** Number of the row, which orders rows. Numbers may have gaps. */
  row: z.int(),
  clientMessageId: id,
  own: z.array(z.string()),
  sealed: z.string(),
});
export type VaultRow = z.infer<typeof vaultRow>;
