import * as z from 'zod/mini';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';
import { secondFactor } from './securitySchemas.ts';

/** Ticket from the details of `second_factor_required`. */
const ticket = z.string().check(z.minLength(1), z.maxLength(64));
/** Code from an authenticator app or recovery code, including separators that users type between groups. */
const code = z.string().check(z.maxLength(32));
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** Two-step verification of accounts that sign in by phone: one-time passwords (TOTP, RFC 6238) and recovery codes. */
export const secondFactorRoutes = {
  getSecondFactor: defineRoute({
    method: 'GET',
    path: '/api/account/second-factor',
    access: 'session',
    tag: 'session',
    summary: 'Get whether two-step verification is on, and who requested the account without it',
    reply: secondFactor,
  }),
  beginSecondFactor: defineRoute({
    method: 'POST',
    path: '/api/account/second-factor/begin',
    access: 'session',
    tag: 'session',
    proof: 'account',
    summary: 'Create the secret for an authenticator app; confirm it within 15 minutes',
    reply: z.object({
      /** Base32 encoded. */
      secret: z.string(),
      /** Secret as otpauth:// URI, for a QR code. */
      uri: z.string(),
    }),
    errors: ['second_factor_on', 'second_factor_no_phone'],
    limit: 'accountChangesPerUser',
  }),
  confirmSecondFactor: defineRoute({
    method: 'POST',
    path: '/api/account/second-factor',
    access: 'session',
    tag: 'session',
    proof: 'account',
    status: 201,
    summary:
      'Turn on two-step verification and the registration lock with a first one-time password; returns the recovery codes, once',
    body: z.object({ code }),
    reply: recoveryCodes,
    errors: ['second_factor_on', 'second_factor_expired', 'second_factor_wrong'],
    limit: 'accountChangesPerUser',
  }),
  removeSecondFactor: defineRoute({
    method: 'DELETE',
    path: '/api/account/second-factor',
    access: 'session',
    tag: 'session',
    proof: 'account',
    status: 204,
    summary: 'Turn off two-step verification',
    errors: ['second_factor_off'],
    limit: 'accountChangesPerUser',
  }),
  renewRecoveryCodes: defineRoute({
    method: 'POST',
    path: '/api/account/second-factor/recovery-codes',
    access: 'session',
    tag: 'session',
    proof: 'account',
    status: 201,
    summary: 'Create new recovery codes, which replace the old ones',
    reply: recoveryCodes,
    errors: ['second_factor_off'],
    limit: 'accountChangesPerUser',
  }),
  setRegistrationLock: defineRoute({
    method: 'PUT',
    path: '/api/account/second-factor/lock',
    access: 'session',
    tag: 'session',
    proof: 'account',
    status: 204,
    summary: 'Set whether signing in by phone requires the second factor',
    body: z.object({ on: z.boolean() }),
    errors: ['second_factor_off'],
    limit: 'accountChangesPerUser',
  }),
  proveBySecondFactor: defineRoute({
    method: 'POST',
    path: '/api/account/proof',
    access: 'session',
    tag: 'session',
    status: 204,
    summary: 'Give a fresh proof of your identity with a one-time password from the authenticator app',
    body: z.object({ code }),
    errors: ['second_factor_off', 'second_factor_wrong', 'proof_limited'],
    limit: 'accountChangesPerUser',
  }),
  refuseAccountWait: defineRoute({
    method: 'DELETE',
    path: '/api/account/second-factor/wait',
    access: 'session',
    tag: 'session',
    status: 204,
    summary: 'Refuse a request for the account without its second factor, which ends the waiting period',
    errors: ['account_wait_not_found'],
    limit: 'accountChangesPerUser',
  }),
  passSecondFactor: defineRoute({
    method: 'POST',
    path: '/api/second-factor/verify',
    access: 'public',
    tag: 'session',
    summary: 'Sign in with the ticket for a correct SMS code and a one-time password or recovery code',
    body: z.object({ ticket, code }),
    reply: z.object({ success: z.literal(true), message: z.string(), token: z.nullable(z.string()), user: s.self }),
    errors: [
      'ticket_invalid',
      'second_factor_wrong',
      'second_factor_spent',
      'second_factor_limited',
      'account_suspended',
    ],
    limit: 'secondFactorPerAddress',
  }),
  askForAccount: defineRoute({
    method: 'POST',
    path: '/api/second-factor/wait',
    access: 'public',
    tag: 'session',
    summary:
      'Request the account without its second factor: after seven days in which none of its devices refuses, an SMS code is enough',
    body: z.object({ ticket }),
    reply: z.object({ opensAt: s.time, endsAt: s.time }),
    errors: ['ticket_invalid', 'account_wait_limited'],
    limit: 'secondFactorPerAddress',
  }),
} as const;
