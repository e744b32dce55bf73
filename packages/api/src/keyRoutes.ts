import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { newEpoch } from './epochSchemas.ts';
import { bytesOf, bytesUpTo } from './bytes.ts';
import * as k from './keySchemas.ts';
import { idParams } from './parameters.ts';
import { defineRoute } from './route.ts';
import { id } from './schemas.ts';

const listNumber = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(2_147_483_647));
const chainNumber = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(32_767));

/** Lists after this number: of the newest chain, or of `chain` and then of the chains after it. */
const position = { chain: z.optional(chainNumber), after: z.optional(listNumber) };
const positionQuery = z.object(position);

const lookUp = z.object({
  userId: id,
  ...position,
  /** Box keys that the caller has. The answer leaves them out. */
  known: z.optional(z.array(z.object({ deviceId: id, number: z.int() })).check(z.maxLength(limits.devicesPerAccount))),
});

const random = bytesOf(32);

const newList = {
  list: k.newDeviceList,
  /** Box keys with number 0 of each device that the list adds. */
  boxKeys: z.array(k.newBoxKeys).check(z.maxLength(limits.devicesPerAccount)),
  /**
   * Epoch of the vault that follows from the list. Required with a first list, and with one that adds a browser or
   * program, or that sets or replaces the recovery key. Both are accepted, or neither.
   */
  vault: z.optional(newEpoch),
};
const acceptedList = z.object({ chain: z.int(), n: z.int(), hash: z.string() });

/** Errors of the epoch that goes with a list. */
const epochErrors = ['epoch_stale', 'epoch_refused'] as const;

const base = { access: 'session', tag: 'keys' } as const;
const step = {
  ...base,
  method: 'PUT',
  params: idParams,
  reply: k.deviceLink,
  errors: ['link_not_found', 'link_refused', 'link_conflict'],
  limit: 'keyChangesPerUser',
} as const;

/**
 * Devices with keys: signed lists, box keys, and linking (docs/encryption.md, section 3). Bytes are base64url without
 * padding.
 */
export const keyRoutes = {
  getOwnKeys: defineRoute({
    ...base,
    method: 'GET',
    path: '/api/keys',
    summary: 'Get your device lists, devices, box keys, wrapped recovery seeds, and open links',
    query: positionQuery,
    reply: k.ownKeys,
  }),
  getUserKeys: defineRoute({
    ...base,
    method: 'GET',
    path: '/api/keys/{id}',
    summary: 'Get the device lists and box keys of a person',
    params: idParams,
    query: positionQuery,
    reply: k.accountKeys,
    errors: ['user_not_found'],
    limit: 'keyLookupsPerUser',
  }),
  lookUpKeys: defineRoute({
    ...base,
    method: 'POST',
    path: '/api/keys/lookup',
    summary: 'Get the device lists and box keys of several people; those you may not see are omitted',
    body: z.object({
      accounts: z.array(lookUp).check(z.maxLength(limits.keyLookupAccounts)),
      /** False leaves out box keys, which are most of the bytes, and which only a device that begins an epoch needs. */
      boxKeys: z.optional(z.boolean()),
    }),
    reply: z.array(k.accountKeys),
    limit: 'keyLookupsPerUser',
  }),
  addDeviceList: defineRoute({
    ...base,
    method: 'POST',
    path: '/api/keys/lists',
    proof: 'account',
    proofWith: 'removes',
    summary: 'Add a signed device list; the same list again gets the first answer',
    body: z.object({
      ...newList,
      /**
       * True if the list replaces the recovery key, or removes another device that is not suspended. Both need a fresh
       * proof, also if this is absent.
       */
      removes: z.optional(z.boolean()),
      /**
       * True for a list that the server accepted before and lost. Any session of the account may send it again. Box
       * keys of added devices may then have any number, or be left out.
       */
      lost: z.optional(z.boolean()),
    }),
    reply: acceptedList,
    errors: ['list_refused', 'list_conflict', 'list_pending', 'device_mismatch', 'device_present', ...epochErrors],
    limit: 'listUploadsPerDevice',
  }),
  replaceIdentity: defineRoute({
    ...base,
    method: 'POST',
    path: '/api/keys/identity',
    proof: 'account',
    summary: 'Begin a new identity with a new first list; everyone sees that it changed',
    body: z.object(newList),
    reply: acceptedList,
    errors: ['list_refused', 'list_conflict', 'list_pending', ...epochErrors],
    limit: 'listUploadsPerDevice',
  }),
  renewBoxKeys: defineRoute({
    ...base,
    method: 'PUT',
    path: '/api/keys/box-keys',
    status: 204,
    summary: 'Replace the box keys of this device; their number is higher',
    body: z.object({ boxKeys: k.newBoxKeys }),
    errors: ['box_keys_refused', 'device_required'],
    limit: 'boxKeyRenewalsPerUserDay',
  }),
  claimDevice: defineRoute({
    ...base,
    method: 'POST',
    path: '/api/keys/devices/{id}/claim',
    status: 204,
    summary: 'Continue as a device of the account after another sign-in',
    params: idParams,
    body: z.object({ signature: bytesOf(64) }),
    errors: ['device_not_found', 'device_present', 'claim_refused'],
    limit: 'keyChangesPerUser',
  }),
  putRecoverySeed: defineRoute({
    ...base,
    method: 'PUT',
    path: '/api/keys/seeds/{id}',
    status: 204,
    summary: 'Store the recovery seed as this passkey wraps it',
    params: idParams,
    body: z.object({ wrapped: bytesUpTo(limits.recoverySeedBytes) }),
    errors: ['identity_not_found', 'device_required'],
    limit: 'keyChangesPerUser',
  }),
  deleteRecoverySeed: defineRoute({
    ...base,
    method: 'DELETE',
    path: '/api/keys/seeds/{id}',
    status: 204,
    summary: 'Delete the recovery seed that this passkey wraps',
    params: idParams,
    errors: ['device_required'],
    limit: 'keyChangesPerUser',
  }),
  beginDeviceLink: defineRoute({
    ...base,
    method: 'POST',
    path: '/api/keys/links',
    status: 201,
    summary: 'Begin linking this session as a new device; valid for ten minutes',
    body: z.union([z.object({ offer: bytesUpTo(limits.linkOfferBytes) }), z.object({ commitment: bytesOf(32) })]),
    reply: k.deviceLink,
    errors: ['link_refused', 'link_conflict'],
    limit: 'deviceLinksPerUserDay',
  }),
  getDeviceLink: defineRoute({
    ...base,
    method: 'GET',
    path: '/api/keys/links/{id}',
    summary: 'Get a link of a new device, from its session or one with a device',
    params: idParams,
    reply: k.deviceLink,
    errors: ['link_not_found'],
  }),
  challengeDeviceLink: defineRoute({
    ...step,
    path: '/api/keys/links/{id}/challenge',
    summary: 'Answer a commitment with random bytes and the newest list, from an old device',
    body: z.object({ random, head: bytesUpTo(limits.linkHeadBytes) }),
  }),
  openDeviceLink: defineRoute({
    ...step,
    path: '/api/keys/links/{id}/opening',
    summary: 'Open the commitment, from the new device',
    body: z.object({ random, offer: bytesUpTo(limits.linkOfferBytes) }),
  }),
  answerDeviceLink: defineRoute({
    ...step,
    path: '/api/keys/links/{id}/answer',
    summary: 'Answer a scanned offer with the sealed list, from an old device',
    body: z.object({ answer: bytesUpTo(limits.linkAnswerBytes) }),
  }),
  confirmDeviceLink: defineRoute({
    ...step,
    path: '/api/keys/links/{id}/confirmation',
    summary: 'Confirm that the digits of the old device were typed, from the new device',
    body: z.object({ done: bytesUpTo(limits.linkAnswerBytes) }),
  }),
  endDeviceLink: defineRoute({
    ...base,
    method: 'DELETE',
    path: '/api/keys/links/{id}',
    status: 204,
    summary: 'End a link, from either side',
    params: idParams,
    errors: ['link_not_found'],
    limit: 'keyChangesPerUser',
  }),
} as const;
