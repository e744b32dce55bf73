import { isId } from '@nolo/kit/ids';
import { withQuota } from '@nolo/kit/rateLimit';
import { defineCursor, idCursorField, clampPageSize, timeCursorField } from '@nolo/kit/pages';
import type { RpcHandler, RpcHandlers } from '@nolo/kit/rpc';
import type { MailInvitationServiceDefinition } from '@nolo/proto/mailInvitations';
import { mailInvitationLimits, toSupportedLanguage } from '@nolo/rules';
import { parseMailAddress } from '../domain/mailAddresses.ts';
import type { MailInvitationStore } from '../domain/mailInvitations.ts';
import { createMailUnavailableError } from '../domain/codeVerification.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { readOperatorSession, createOperatorAdmission, requireAdmitted } from './operators.ts';

const defaultPageSize = 50;
const place = defineCursor<{ sentAt: Date; id: string }>({ sentAt: timeCursorField, id: idCursorField() });

interface Needs extends Pick<Dependencies, 'clock' | 'isCommandLinePass' | 'limiter' | 'metrics' | 'operators'> {
  readonly mailInvitations: MailInvitationStore;
  /** Target of invitations. Undefined if no email is sent. */
  readonly invitesTo: string | undefined;
}
type Handler<Name extends keyof (typeof MailInvitationServiceDefinition)['methods']> = RpcHandler<
  (typeof MailInvitationServiceDefinition)['methods'][Name]
>;

export function createMailInvitationHandlers(dependencies: Needs): RpcHandlers<typeof MailInvitationServiceDefinition> {
  return {
    listMailInvitations: listMailInvitations(dependencies),
    inviteByMail: inviteByMail(dependencies),
    withdrawMailInvitation: withdrawMailInvitation(dependencies),
  };
}

function listMailInvitations({ clock, mailInvitations }: Needs): Handler<'listMailInvitations'> {
  return async (request) => {
    const limit = clampPageSize(request.limit, defaultPageSize, mailInvitationLimits.perPage);
    const page = { before: place.read(request.cursor), limit: limit + 1 };
    const { invitations } = requireAdmitted(
      await mailInvitations.list(readOperatorSession(request), page, clock.now()),
    );
    const last = invitations.length > limit ? invitations[limit - 1] : undefined;
    return { invitations: invitations.slice(0, limit), nextCursor: last && place.write(last) };
  };
}

/** Returns the addresses, or throws the first validation error. */
function readAddresses(typed: readonly string[]): string[] {
  const wrong = typed.find((text) => parseMailAddress(text) === undefined);
  if (wrong !== undefined || typed.length === 0 || typed.length > mailInvitationLimits.atOnce) {
    const what = `Send 1 to ${mailInvitationLimits.atOnce} email addresses at a time.`;
    throw createIdentityError(
      'invalid',
      'mail_address_invalid',
      what,
      wrong === undefined ? undefined : { email: wrong },
    );
  }
  return typed.flatMap((text) => parseMailAddress(text) ?? []);
}

function inviteByMail(dependencies: Needs): Handler<'inviteByMail'> {
  const { clock, invitesTo, limiter, mailInvitations, metrics } = dependencies;
  const admit = createOperatorAdmission(dependencies);
  return async (request) => {
    const acting = readOperatorSession(request);
    // Checked first, so people who are not operators learn nothing about validation and use no quota.
    await admit(request);
    const emails = readAddresses(request.emails);
    if (invitesTo === undefined) throw createMailUnavailableError();
    const invitation = { emails, language: toSupportedLanguage(request.language), publicUrl: invitesTo };
    const quota = { name: 'mailInvitationsPerUserDay', key: acting.userId, count: emails.length } as const;
    const done = await withQuota(limiter, quota, async () => {
      const invited = requireAdmitted(await mailInvitations.invite(acting, invitation, clock.now()));
      if (invited.outcome !== 'too_many') return invited;
      const explanation = `At most ${mailInvitationLimits.waiting} invitations can be pending. Withdraw some first.`;
      throw createIdentityError('conflict', 'too_many_mail_invitations', explanation);
    });
    metrics.operatorActs.inc({ action: 'mail_invitation_sent' }, done.invitations.length);
    return { invitations: done.invitations, known: done.known };
  };
}

function withdrawMailInvitation(dependencies: Needs): Handler<'withdrawMailInvitation'> {
  const { clock, mailInvitations, metrics } = dependencies;
  const admit = createOperatorAdmission(dependencies);
  return async (request) => {
    const { id = '' } = request;
    if (!isId(id)) await admit(request);
    const done = isId(id)
      ? requireAdmitted(await mailInvitations.withdraw(readOperatorSession(request), id, clock.now()))
      : { outcome: 'none' as const };
    if (done.outcome === 'none') {
      throw createIdentityError('not_found', 'mail_invitation_not_found', 'This invitation is no longer valid.');
    }
    metrics.operatorActs.inc({ action: 'mail_invitation_withdrawn' });
    return {};
  };
}
