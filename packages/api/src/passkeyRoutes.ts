import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { idParams, trimmedText } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';
import { signInIdentity } from './securitySchemas.ts';

const base64url = (max: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]*$/), z.maxLength(max));

/** Common fields of all authenticator responses. An id has at most 1,023 bytes (WebAuthn, level 3, section 4). */
const credential = { id: base64url(1_400), rawId: base64url(1_400), type: z.literal('public-key') };

/**
 * Options that browsers accept unchanged: PublicKeyCredentialCreationOptionsJSON,
 * PublicKeyCredentialRequestOptionsJSON.
 */
const options = z.object({ options: z.record(z.string(), z.unknown()) });

/** Passkeys (WebAuthn, level 3): creation, sign-in, and fresh proof of identity. */
export const passkeyRoutes = {
  beginPasskey: defineRoute({
    method: 'POST',
    path: '/api/account/passkeys/begin',
    access: 'session',
    tag: 'session',
    proof: 'account',
    summary: 'Get the options for creating a passkey in a browser; valid for five minutes and one passkey',
    reply: options,
    errors: ['passkeys_unavailable', 'identity_limit'],
    limit: 'accountChangesPerUser',
  }),
  addPasskey: defineRoute({
    method: 'POST',
    path: '/api/account/passkeys',
    access: 'session',
    tag: 'session',
    proof: 'account',
    status: 201,
    summary: 'Add the new passkey to your sign-in methods',
    body: z.object({
      name: trimmedText(1, limits.passkeyNameLength),
      /** RegistrationResponseJSON; other fields are ignored. */
      response: z.object({
        ...credential,
        response: z.object({
          clientDataJSON: base64url(4_096),
          attestationObject: base64url(32_768),
          transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16))),
        }),
      }),
    }),
    reply: signInIdentity,
    errors: [
      'passkeys_unavailable',
      'identity_limit',
      'passkey_name_invalid',
      'passkey_expired',
      'passkey_refused',
      'passkey_taken',
    ],
    limit: 'accountChangesPerUser',
  }),
  renamePasskey: defineRoute({
    method: 'PATCH',
    path: '/api/account/passkeys/{id}',
    access: 'session',
    tag: 'session',
    status: 204,
    summary: 'Rename a passkey',
    params: idParams,
    body: z.object({ name: trimmedText(1, limits.passkeyNameLength) }),
    errors: ['identity_not_found', 'passkey_name_invalid'],
    limit: 'accountChangesPerUser',
  }),
  beginPasskeySignIn: defineRoute({
    method: 'POST',
    path: '/api/passkeys/begin',
    access: 'public',
    tag: 'session',
    summary: 'Get the options for requesting a passkey in a browser; valid for five minutes and one answer',
    body: z.object({
      /** Limits the options to passkeys of the signed-in account. */
      prove: z.optional(z.boolean()),
    }),
    reply: options,
    errors: ['passkeys_unavailable', 'session_required'],
    limit: 'passkeyChallengesPerAddress',
  }),
  signInWithPasskey: defineRoute({
    method: 'POST',
    path: '/api/passkeys/verify',
    access: 'public',
    tag: 'session',
    summary: 'Sign in with a passkey, or give a fresh proof of your identity',
    body: z.object({
      /** AuthenticationResponseJSON; other fields are ignored. */
      response: z.object({
        ...credential,
        response: z.object({
          clientDataJSON: base64url(4_096),
          authenticatorData: base64url(4_096),
          signature: base64url(8_192),
          userHandle: z.optional(base64url(100)),
        }),
      }),
      /** Proves the requesting session instead of signing in. The passkey must belong to its account. */
      prove: z.optional(z.boolean()),
    }),
    reply: z.object({ success: z.literal(true), message: z.string(), token: z.nullable(z.string()), user: s.self }),
    errors: [
      'passkeys_unavailable',
      'passkey_expired',
      'passkey_refused',
      'account_suspended',
      'proof_mismatch',
      'session_required',
    ],
    limit: 'passkeySignInsPerAddress',
  }),
} as const;
