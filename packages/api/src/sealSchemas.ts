import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { bytesOf, bytesUpTo } from './bytes.ts';

/** Sealed content of messages (docs/encryption.md, section 5). Bytes are base64url. */

const id = z.uuid();

/** Sealed reaction or pin of a user to a sealed message. A newer one of the same user replaces it. */
export const sealedAnnotation = z.object({
  kind: z.enum(['reaction', 'pin']),
  userId: id,
  deviceId: id,
  clientMessageId: id,
  epoch: z.int(),
  sealed: z.string(),
  /** `changeSeq` with which it was stored. */
  place: z.int(),
});
export type SealedAnnotation = z.infer<typeof sealedAnnotation>;

/**
 * Data of a sealed message beside its ordinary fields (docs/encryption.md, section 5). Bytes are base64url. A message
 * that is not sealed has one for its sealed reactions and pin; epoch, device, and version then say nothing.
 */
export const seal = z.object({
  /** Epoch and device of the newest version. */
  epoch: z.int(),
  deviceId: id,
  /** Counts edits from 0. */
  version: z.int(),
  /** Change number (`changeSeq`) with which an edit stored the newest version; 0 for the first version. */
  place: z.int(),
  /** Row hashes of earlier messages of this device that the newest version names. */
  own: z.array(z.string()),
  /** Row hash of the message that the newest version refers to; null without one. */
  targetRow: z.nullable(z.string()),
  /** Row hash of the first version; zero bytes if that was not sealed. */
  rowHash: z.string(),
  /** Bytes that `rowHash` covers. Null unless the message was edited or erased, or waits for approval. */
  origin: z.nullable(z.string()),
  hasLink: z.boolean(),
  /** Signed deletion for everyone; null without one. */
  deletion: z.nullable(z.string()),
  annotations: z.array(sealedAnnotation),
  /** True for a draft that was sealed to wait for approval. */
  held: z.boolean(),
  /** Id of the draft that this message approves; null without one. */
  draftId: z.nullable(id),
  /** Origin of that draft, which names its author. Null unless the message was erased. */
  draftOrigin: z.nullable(z.string()),
});
export type Seal = z.infer<typeof seal>;

const hash = bytesOf(32);

/** Sealed content as its device sends it. */
export const newSealed = z.object({
  sealed: bytesUpTo(limits.sealedBytes),
  own: z.array(hash).check(z.maxLength(limits.sealedOwnRows)),
  /** Row hash of the message that it refers to. */
  targetRow: z.optional(hash),
  /** Number of the new version, in an edit. */
  version: z.optional(z.int().check(z.positive())),
  /** True for a draft that waits for approval. */
  held: z.optional(z.boolean()),
  /** Id of the draft that it approves. */
  draftId: z.optional(id),
});
export type NewSealed = z.infer<typeof newSealed>;

/** Signed deletion for everyone. */
export const newDeletion = z.object({ body: bytesUpTo(limits.deletionBytes), signature: bytesOf(64) });
export type NewDeletion = z.infer<typeof newDeletion>;

/** Fields of a sealed reaction or pin in a request. */
export const sealedAnnotationFields = { sealed: z.optional(newSealed), clientMessageId: z.optional(id) };
