import { mailInvitationLimits, supportedLanguages } from '@nolo/rules';
import * as z from 'zod/mini';
import { limitUpTo, cursor, idParams } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

/** Maximum length of an email address (RFC 5321, section 4.5.3.1.3). */
const email = z.string().check(z.minLength(1), z.maxLength(254));

/** Pending invitation to create an account. */
const mailInvitation = z.object({
  id: z.string(),
  email: z.string(),
  /** Time of the last delivery. */
  sentAt: s.time,
  expiresAt: s.time,
});
export type MailInvitation = z.infer<typeof mailInvitation>;

/** Email invitations to create an account, for installations where registration requires an invitation. */
export const mailInvitationRoutes = {
  listMailInvitations: defineRoute({
    access: 'session',
    tag: 'admin',
    proof: 'operator',
    method: 'GET',
    path: '/api/admin/invitations',
    summary: 'List the pending email invitations, latest first',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(mailInvitationLimits.perPage)) }),
    reply: z.array(mailInvitation),
    errors: ['cursor_invalid'],
  }),
  inviteByMail: defineRoute({
    access: 'session',
    tag: 'admin',
    proof: 'operator',
    method: 'POST',
    path: '/api/admin/invitations',
    summary:
      'Invite people by email, or resend an invitation; `known` lists those who already have an account and get no email',
    body: z.object({
      emails: z.array(email).check(z.minLength(1), z.maxLength(mailInvitationLimits.atOnce)),
      language: z.enum(supportedLanguages),
    }),
    example: { emails: ['zoe@example.org'], language: 'en' },
    reply: z.object({ invitations: z.array(mailInvitation), known: z.array(z.string()) }),
    limit: 'operatorChangesPerUser',
    errors: ['mail_address_invalid', 'mail_unavailable', 'too_many_mail_invitations'],
  }),
  withdrawMailInvitation: defineRoute({
    access: 'session',
    tag: 'admin',
    proof: 'operator',
    method: 'DELETE',
    path: '/api/admin/invitations/{id}',
    summary: 'Withdraw an email invitation',
    params: idParams,
    status: 204,
    limit: 'operatorChangesPerUser',
    errors: ['mail_invitation_not_found'],
  }),
} as const;
