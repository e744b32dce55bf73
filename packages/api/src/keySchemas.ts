import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { bytesOf, bytesUpTo } from './bytes.ts';
import { id, time } from './schemas.ts';
import { place } from './sessionSchemas.ts';

/** Devices with keys (docs/encryption.md, section 3). */

const signature = bytesOf(64);

/** Signed statements as a client sends them. */
export const newDeviceList = z.object({ body: bytesUpTo(limits.deviceListBytes), signature });
export const newBoxKeys = z.object({ body: bytesUpTo(limits.boxKeysBytes), signature });

const signed = { body: z.string(), signature: z.string() };

/** Position of a list: number of the chain, which a changed identity begins, and number within it. */
const listPosition = { chain: z.int(), n: z.int() };

/** Public part of an account's keys. */
export const accountKeys = z.object({
  userId: id,
  /** Newest list; null if the account has none. */
  newest: z.nullable(z.object(listPosition)),
  /** Lists after the requested position, in order. */
  lists: z.array(z.object({ ...listPosition, ...signed })),
  /** True if there are further lists. */
  more: z.boolean(),
  /** Newest box keys of each device of the newest list. */
  boxKeys: z.array(z.object({ deviceId: id, number: z.int(), ...signed })),
  /** Devices of the newest list that are suspended. */
  suspended: z.array(id),
});
export type AccountKeys = z.infer<typeof accountKeys>;

/** Device of an account, as its owner sees it. */
export const ownDevice = z.object({
  id,
  /** 0 browser, 1 program with a screen of its own, 2 access token. */
  kind: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** User-Agent of its latest session; empty if it had none. */
  name: z.string(),
  createdAt: time,
  /** Last use of its session; null without one. */
  lastUsedAt: z.nullable(time),
  network: z.nullable(z.string()),
  place: z.nullable(place),
  current: z.boolean(),
  suspendedAt: z.nullable(time),
  /** True if it is suspended because its session expired. */
  sessionExpired: z.boolean(),
  /** Session of the device; null without one. */
  sessionId: z.nullable(id),
});
export type OwnDevice = z.infer<typeof ownDevice>;

/** The account's own keys. */
export const ownKeys = z.extend(accountKeys, {
  /** Session of the request, which a claim names. */
  sessionId: id,
  devices: z.array(ownDevice),
  /** Recovery seeds that passkeys wrap, with the credential that opens each. */
  seeds: z.array(z.object({ passkeyId: id, credentialId: z.string(), wrapped: z.string() })),
  /** Open links in which this session may take part. */
  links: z.array(id),
});
export type OwnKeys = z.infer<typeof ownKeys>;

export const deviceLinkStates = ['offered', 'answered', 'committed', 'challenged', 'opened', 'confirmed'] as const;

/** Link of a new device. Absent content is null. */
export const deviceLink = z.object({
  /** Id of the new device if it began with an offer. */
  id,
  state: z.enum(deviceLinkStates),
  /** True if this session began it. */
  own: z.boolean(),
  expiresAt: time,
  commitment: z.nullable(z.string()),
  offer: z.nullable(z.string()),
  /** Random bytes of the new device. */
  newRandom: z.nullable(z.string()),
  /** Random bytes of the old device, and its newest list. */
  oldRandom: z.nullable(z.string()),
  head: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  /** Confirmation by the new device that the old device's digits were typed on it. */
  done: z.nullable(z.string()),
  /** User-Agent and location of the session that began it. */
  userAgent: z.string(),
  place: z.nullable(place),
});
export type DeviceLink = z.infer<typeof deviceLink>;
