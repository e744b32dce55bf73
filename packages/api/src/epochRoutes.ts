import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import * as e from './epochSchemas.ts';
import { bytesUpTo } from './bytes.ts';
import { defineRoute } from './route.ts';
import { id, newMessage } from './schemas.ts';

const number = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(2_147_483_647));
const rowNumber = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER));

/** The id of a vault is a hash, so it is no UUID of a known version. */
const conversationId = z.guid();
const idParams = z.object({ id: conversationId });
const idAndNumber = z.object({ id: conversationId, n: number });

const base = { access: 'session', tag: 'keys' } as const;

/**
 * Epochs of a conversation, and rows of the vault (docs/encryption.md, sections 4 and 6). Bytes are base64url without
 * padding. `id` is that of the conversation; that of the vault follows from account and identity.
 */
export const epochRoutes = {
  listEpochs: defineRoute({
    ...base,
    method: 'GET',
    path: '/api/epochs/{id}',
    summary: 'List the epochs of a conversation with the boxes of this device, in order',
    params: idParams,
    /** Epochs from this number. With `roster`, the first of them has its members. */
    query: z.object({ from: z.optional(number), roster: z.optional(z.literal('true')) }),
    /** Up to limits.epochsPerPage items; `more` is true if there are further ones. */
    reply: z.object({ items: z.array(e.epoch), more: z.boolean() }),
    errors: ['conversation_not_found'],
  }),
  commitEpoch: defineRoute({
    ...base,
    method: 'POST',
    path: '/api/epochs/{id}',
    summary: 'Begin the next epoch; the same header again gets the first answer',
    params: idParams,
    body: z.extend(e.newEpoch, {
      /**
       * True for an epoch that the server accepted before and lost. Any device of the account may send it again, and
       * may leave out boxes that it cannot seal.
       */
      lost: z.optional(z.boolean()),
      /** First message of the epoch, sealed for it. If it is refused, the epoch stays. */
      message: z.optional(newMessage),
    }),
    ...e.epochBody,
    reply: e.acceptedEpoch,
    opens: 'epoch',
    errors: [
      'conversation_not_found',
      'device_required',
      'epoch_stale',
      'epoch_refused',
      'encryption_required',
      'seal_refused',
      'approval_required',
      'blocked',
      'messages_not_allowed',
      'request_limit',
      'client_message_id_reused',
      'message_invalid',
      'message_too_large',
      'message_rejected',
      'message_withdrawn',
      'files_refused',
      'file_not_found',
      'too_many_held',
    ],
    limit: 'epochCommitsPerUser',
  }),
  getEpochTarget: defineRoute({
    ...base,
    method: 'GET',
    path: '/api/epochs/{id}/target',
    summary: 'Get the members and settings that the next epoch of a conversation must have',
    params: idParams,
    reply: e.epochTarget,
    errors: ['conversation_not_found'],
  }),
  sendNack: defineRoute({
    ...base,
    method: 'POST',
    path: '/api/epochs/{id}/nacks',
    status: 204,
    summary: 'Ask the other devices for a secret whose box this device cannot open',
    params: idParams,
    body: e.nack,
    errors: ['conversation_not_found', 'device_required', 'nack_refused'],
    limit: 'nacksPerDeviceHour',
  }),
  listNacks: defineRoute({
    ...base,
    method: 'GET',
    path: '/api/epochs/{id}/nacks',
    summary: 'List the open requests for secrets of a conversation, oldest first, at most 100',
    params: idParams,
    reply: z.array(z.object({ body: z.string(), signature: z.string() })),
    errors: ['conversation_not_found', 'device_required'],
  }),
  answerNack: defineRoute({
    ...base,
    method: 'PUT',
    path: '/api/epochs/{id}/{n}/answers',
    status: 204,
    summary: 'Answer a request for a secret with a box for the device that asked',
    params: idAndNumber,
    body: z.object({ deviceId: id, box: bytesUpTo(limits.epochBoxBytes) }),
    errors: ['conversation_not_found', 'device_required', 'nack_not_found', 'nack_refused'],
    limit: 'keyChangesPerUser',
  }),
  listVaultRows: defineRoute({
    ...base,
    method: 'GET',
    path: '/api/vault/{id}/rows',
    summary: 'List the rows of a vault of yours after a row, in order',
    params: idParams,
    query: z.object({ after: z.optional(rowNumber) }),
    /** Up to limits.vaultRowsPerPage items; `more` is true if there are further ones. */
    reply: z.object({ items: z.array(e.vaultRow), more: z.boolean() }),
    errors: ['conversation_not_found'],
  }),
  addVaultRow: defineRoute({
    ...base,
    method: 'POST',
    path: '/api/vault/{id}/rows',
    summary: 'Add a sealed record to your vault; the same client id from the same device gets the first answer',
    params: idParams,
    body: e.newVaultRow,
    reply: z.object({ row: z.int() }),
    errors: ['conversation_not_found', 'device_required', 'epoch_stale', 'row_refused', 'vault_full'],
    limit: 'vaultRowsPerUser',
  }),
  deleteVaultRows: defineRoute({
    ...base,
    method: 'DELETE',
    path: '/api/vault/{id}/rows',
    status: 204,
    summary: 'Delete the rows of your vault that a snapshot covers, 30 days after it was written',
    params: idParams,
    /** First and last row, both included, and the last row of the snapshot that covers them. */
    query: z.object({ from: rowNumber, to: rowNumber, snapshot: rowNumber }),
    errors: ['conversation_not_found', 'device_required', 'row_refused'],
    limit: 'keyChangesPerUser',
  }),
} as const;
