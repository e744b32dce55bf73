import * as z from 'zod/mini';
import { id, time } from './schemas.ts';
import { place } from './sessionSchemas.ts';

/** One way to sign in to one's account. */
export const identity = z.object({
  id,
  type: z.enum(['phone', 'provider', 'passkey', 'email']),
  phoneNumber: z.nullable(z.string()),
  /** Of an identity at a provider. */
  issuer: z.nullable(z.string()),
  /** The mail address that the provider gave; of the type `email`, the verified one that codes go to. */
  email: z.nullable(z.string()),
  addedAt: time,
  /** The User-Agent of the device that added it; null where that was not noted. */
  addedBy: z.nullable(z.string()),
  /** What one calls it; of a passkey alone. */
  name: z.nullable(z.string()),
  /** Of a passkey alone; null where it was not used yet. */
  lastUsedAt: z.nullable(time),
  /** Kept in more than one place, as password managers do; of a passkey alone. */
  synced: z.nullable(z.boolean()),
});
export type Identity = z.infer<typeof identity>;

export const securityNoticeKind = z.enum([
  'signed_in',
  'phone_added',
  'phone_replaced',
  'phone_removed',
  'provider_added',
  'provider_removed',
  'passkey_added',
  'passkey_removed',
  'token_created',
  'factor_added',
  'factor_removed',
  'recovery_renewed',
  'lock_on',
  'lock_off',
  'account_asked',
  'account_refused',
  'account_given',
  'account_closed',
  'account_kept',
  'email_added',
  'email_replaced',
  'email_removed',
  'taken_back',
  'undone',
]);

/** A sign-in, a change of the ways to sign in, or a new personal access token (decision 38). */
export const securityNotice = z.object({
  id,
  kind: securityNoticeKind,
  createdAt: time,
  /** Of the device that did it. */
  userAgent: z.string(),
  /** Where that was, as far as its network tells. */
  place: z.nullable(place),
  /** The session that asks did it. */
  byThisSession: z.boolean(),
  /** Seen at this session, or done by it. */
  seen: z.boolean(),
  /** "This wasn't me" can still be said. */
  undoable: z.boolean(),
  phoneNumber: z.nullable(z.string()),
  /** The number that was replaced. */
  previousPhoneNumber: z.nullable(z.string()),
  issuer: z.nullable(z.string()),
  /** The verified mail address that was added. */
  email: z.nullable(z.string()),
  /** The one that was replaced or removed. */
  previousEmail: z.nullable(z.string()),
  /** What the personal access token is called that was made. */
  tokenName: z.nullable(z.string()),
  /** What the passkey is called that was added or removed. */
  passkeyName: z.nullable(z.string()),
  /** From when on the account opens without its second factor, where somebody asked for it. */
  opensAt: z.nullable(time),
  undoneAt: z.nullable(time),
});
export type SecurityNotice = z.infer<typeof securityNotice>;

/** How things stand with the fresh proof of a session (decision 38). */
export const proof = z.object({
  /** Until when what takes fresh proof is allowed; null where it has to be proven first. */
  validUntil: z.nullable(time),
  /** Numbers that a code may be sent to: one's own, and those that were replaced in the last days. */
  phoneNumbers: z.array(z.string()),
  /** The verified mail address that a code may be sent to. */
  email: z.nullable(z.string()),
  /** Whether a sign-in at the provider counts as well. */
  provider: z.boolean(),
  /** Whether a passkey of the account's does. */
  passkey: z.boolean(),
  /** Whether a code of the authenticator app does (`POST /api/account/proof`). */
  authenticator: z.boolean(),
});
export type Proof = z.infer<typeof proof>;

/** Two-step verification of an account. */
export const secondFactor = z.object({
  /** When it was switched on; null where it is off. */
  addedAt: z.nullable(time),
  /** Whether signing in by phone takes the second factor. */
  registrationLock: z.boolean(),
  recoveryCodesLeft: z.int(),
  /** Who asked for the account without it. */
  wait: z.nullable(
    z.object({
      askedAt: time,
      /** From then on a code by text message opens the account and switches two-step verification off. */
      opensAt: time,
      userAgent: z.string(),
    }),
  ),
});
export type SecondFactor = z.infer<typeof secondFactor>;
