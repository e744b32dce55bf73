import * as z from 'zod/mini';
import { id, time } from './schemas.ts';
import { place } from './sessionSchemas.ts';

/** Sign-in method of an account. */
export const signInIdentity = z.object({
  id,
  type: z.enum(['phone', 'provider', 'passkey', 'email']),
  phoneNumber: z.nullable(z.string()),
  /** Issuer of a provider identity. */
  issuer: z.nullable(z.string()),
  /** Email address from the provider. For the type `email`, the verified address that receives codes. */
  email: z.nullable(z.string()),
  addedAt: time,
  /** User-Agent of the device that added it; null if not recorded. */
  addedBy: z.nullable(z.string()),
  /** Name that the user gave a passkey; passkeys only. */
  name: z.nullable(z.string()),
  /** Passkeys only; null if never used. */
  lastUsedAt: z.nullable(time),
  /** True if stored in several places, as password managers do; passkeys only. */
  synced: z.nullable(z.boolean()),
  /** Id of the credential in base64url, to request it from the browser; passkeys only. */
  credentialId: z.nullable(z.string()),
});
export type SignInIdentity = z.infer<typeof signInIdentity>;

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
  'device_added',
  'identity_replaced',
  'recovery_set',
  'recovery_replaced',
  'taken_back',
  'undone',
]);

/** Sign-in, change of sign-in methods, or new personal access token (decision 38). */
export const securityNotice = z.object({
  id,
  kind: securityNoticeKind,
  createdAt: time,
  /** User-Agent of the device that acted. */
  userAgent: z.string(),
  /** Location of the device, as far as its network reveals it. */
  place: z.nullable(place),
  /** True if the requesting session did it. */
  byThisSession: z.boolean(),
  /** True if this session has seen or caused it. */
  seen: z.boolean(),
  /** True while "This wasn't me" is still possible. */
  undoable: z.boolean(),
  phoneNumber: z.nullable(z.string()),
  /** Phone number that was replaced. */
  previousPhoneNumber: z.nullable(z.string()),
  issuer: z.nullable(z.string()),
  /** Verified email address that was added. */
  email: z.nullable(z.string()),
  /** Email address that was replaced or removed. */
  previousEmail: z.nullable(z.string()),
  /** Name of the personal access token that was created. */
  tokenName: z.nullable(z.string()),
  /** Name of the passkey that was added or removed. */
  passkeyName: z.nullable(z.string()),
  /** Time from which the account opens without its second factor, after a user requested it. */
  opensAt: z.nullable(time),
  undoneAt: z.nullable(time),
});
export type SecurityNotice = z.infer<typeof securityNotice>;

/** State of the fresh proof of a session (decision 38). */
export const freshProofState = z.object({
  /** End of the period in which actions that need fresh proof are allowed; null if a proof is needed first. */
  validUntil: z.nullable(time),
  /** Phone numbers that can receive a code: the account's number, and those replaced in recent days. */
  phoneNumbers: z.array(z.string()),
  /** Verified email address that can receive a code. */
  email: z.nullable(z.string()),
  /** True if a sign-in at the provider also counts as proof. */
  provider: z.boolean(),
  /** True if a passkey of the account counts as proof. */
  passkey: z.boolean(),
  /** True if a code from the authenticator app counts as proof (`POST /api/account/proof`). */
  authenticator: z.boolean(),
});
export type FreshProofState = z.infer<typeof freshProofState>;

/** Two-step verification of an account. */
export const secondFactor = z.object({
  /** Time of activation; null if off. */
  addedAt: z.nullable(time),
  /** True if sign-in by phone requires the second factor. */
  registrationLock: z.boolean(),
  recoveryCodesLeft: z.int(),
  /** Pending request for access to the account without the second factor. */
  wait: z.nullable(
    z.object({
      askedAt: time,
      /** Time from which a code by text message opens the account and switches two-step verification off. */
      opensAt: time,
      userAgent: z.string(),
    }),
  ),
});
export type SecondFactor = z.infer<typeof secondFactor>;
