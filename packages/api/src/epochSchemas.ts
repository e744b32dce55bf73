import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { bytesOf, bytesUpTo } from './keySchemas.ts';
import { id } from './schemas.ts';

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

/** Epoch as the server keeps it. Absent content is null. */
export const epoch = z.object({
  n: z.int(),
  hash: z.string(),
  body: z.string(),
  signature: z.string(),
  roster: z.string(),
  /** Box of the session's device. */
  box: z.nullable(z.string()),
  /** Box that another device sealed after a nack of this device. */
  answer: z.nullable(z.string()),
  /** Box of the recovery key; only in the vault. */
  recoveryBox: z.nullable(z.string()),
  previousSecret: z.nullable(z.string()),
});
export type Epoch = z.infer<typeof epoch>;

export const acceptedEpoch = z.object({ n: z.int(), hash: z.string() });

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
