import * as z from 'zod/mini';
import { idParams, phoneNumber, returnTo } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';
import { session } from './sessionSchemas.ts';

/** Longer than any valid address (RFC 5321, section 4.5.3.1.3), with room for text around a pasted one. */
const email = z.string().check(z.maxLength(320));

/** Sign-in, sign-out, and signed-in devices. */
export const sessionRoutes = {
  login: defineRoute({
    method: 'GET',
    path: '/api/login',
    followed: true,
    access: 'public',
    tag: 'session',
    proof: 'account',
    proofWith: 'link',
    status: 302,
    summary: 'Start signing in at the OpenID provider, linking it (`link`), or giving a fresh proof (`prove`)',
    query: z.object({ returnTo, link: z.optional(z.literal('1')), prove: z.optional(z.literal('1')) }),
    limit: 'providerSignInsPerAddress',
  }),
  loginCallback: defineRoute({
    method: 'GET',
    path: '/api/callback',
    followed: true,
    access: 'public',
    tag: 'session',
    status: 302,
    summary: 'Receive the browser that the OpenID provider sends back',
  }),
  logout: defineRoute({
    method: 'GET',
    path: '/api/logout',
    followed: true,
    access: 'public',
    tag: 'session',
    status: 302,
    summary:
      'End this session and the session at the provider; asks first unless the request comes from a page of this site',
  }),
  sendCode: defineRoute({
    method: 'POST',
    path: '/api/verification/send',
    access: 'public',
    tag: 'session',
    summary: 'Send a verification code to a phone number',
    body: z.object({
      type: z.literal('sms'),
      phoneNumber,
      /**
       * Solution to `details.challenge` of an earlier challenge_required answer, as Base64 of JSON (ALTCHA, version 2).
       */
      challengeSolution: z.optional(z.string().check(z.maxLength(4_096))),
    }),
    reply: z.object({ success: z.literal(true), message: z.string(), phoneNumber: z.string(), validSeconds: z.int() }),
    errors: [
      'phone_number_required',
      'phone_number_invalid',
      'challenge_required',
      'code_send_limited',
      'sms_unavailable',
    ],
  }),
  verifyCode: defineRoute({
    method: 'POST',
    path: '/api/verification/verify',
    access: 'public',
    tag: 'session',
    proof: 'account',
    proofWith: 'link',
    summary: 'Sign in with a verification code, link the number to the account, or give a fresh proof',
    body: z.object({
      type: z.literal('sms'),
      phoneNumber,
      code: z.string().check(z.maxLength(12)),
      link: z.optional(z.boolean()),
      /** Proves the requesting session instead of signing in. Its account must have, or have had, the number. */
      prove: z.optional(z.boolean()),
      /** Choice after `number_replaced`: take back the account that the number belonged to, or begin a new one. */
      takeBack: z.optional(z.boolean()),
      /** Token of an email invitation, as in the URL after `#invitation=`. */
      invitation: z.optional(z.string().check(z.maxLength(100))),
    }),
    reply: z.object({
      success: z.literal(true),
      message: z.string(),
      token: z.nullable(z.string()),
      user: s.self,
      /** True if this sign-in created the account; false if it already existed. */
      created: z.boolean(),
    }),
    errors: [
      'code_wrong',
      'code_expired',
      'code_exhausted',
      'phone_taken',
      'identity_limit',
      'number_replaced',
      'account_suspended',
      'registration_closed',
      'registration_invited',
      'second_factor_required',
      'proof_mismatch',
      'session_required',
    ],
  }),
  sendMailCode: defineRoute({
    method: 'POST',
    path: '/api/verification/mail/send',
    access: 'public',
    tag: 'session',
    proof: 'account',
    proofWith: 'link',
    summary:
      'Send a verification code to an email address: to one that opens an account, which the answer does not reveal, or (`link`) to any',
    body: z.object({
      email,
      /** Sends the code to an address that the account of the requesting session wants to add. */
      link: z.optional(z.boolean()),
      /** Same as for `sendCode`. */
      challengeSolution: z.optional(z.string().check(z.maxLength(4_096))),
    }),
    reply: z.object({ success: z.literal(true), message: z.string(), validSeconds: z.int() }),
    errors: ['mail_address_invalid', 'challenge_required', 'code_send_limited', 'mail_unavailable', 'session_required'],
  }),
  verifyMailCode: defineRoute({
    method: 'POST',
    path: '/api/verification/mail/verify',
    access: 'public',
    tag: 'session',
    proof: 'account',
    proofWith: 'link',
    summary:
      'Sign in with an emailed verification code, make the address the way to recover the account, or give a fresh proof',
    body: z.object({
      email,
      code: z.string().check(z.maxLength(12)),
      link: z.optional(z.boolean()),
      /** Proves the requesting session instead of signing in. The address must belong to its account. */
      prove: z.optional(z.boolean()),
    }),
    reply: z.object({ success: z.literal(true), message: z.string(), token: z.nullable(z.string()), user: s.self }),
    errors: [
      'mail_address_invalid',
      'code_wrong',
      'code_expired',
      'code_exhausted',
      'mail_taken',
      'mail_unavailable',
      'account_suspended',
      'second_factor_required',
      'proof_mismatch',
      'session_required',
    ],
  }),
  listSessions: defineRoute({
    method: 'GET',
    path: '/api/sessions',
    access: 'session',
    tag: 'session',
    summary: 'List the signed-in devices of the account',
    reply: z.array(session),
  }),
  endSession: defineRoute({
    method: 'DELETE',
    path: '/api/sessions/{id}',
    access: 'session',
    tag: 'session',
    status: 204,
    summary: 'Sign out one device',
    params: idParams,
    errors: ['session_not_found'],
  }),
  endOtherSessions: defineRoute({
    method: 'DELETE',
    path: '/api/sessions',
    access: 'session',
    tag: 'session',
    summary: 'Sign out all other devices',
    reply: z.object({ ended: z.int() }),
  }),
} as const;
