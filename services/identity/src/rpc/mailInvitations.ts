import { isId } from '@nolo/kit/ids';
import { withinQuota } from '@nolo/kit/rateLimit';
import { defineCursor, idPart, pageSize, timePart } from '@nolo/kit/pages';
import type { RpcHandler, RpcHandlers } from '@nolo/kit/rpc';
import type { MailInvitationServiceService } from '@nolo/proto/mailInvitations';
import { mailInvitationLimits, writtenLanguage } from '@nolo/rules';
import { parseMailAddress } from '../domain/mailAddresses.ts';
import type { MailInvitations } from '../domain/mailInvitations.ts';
import { mailUnavailable } from '../domain/verification.ts';
import { failIdentity } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { actingOf, admitOperator, admitted } from './operators.ts';

const usualPage = 50;
const place = defineCursor<{ sentAt: Date; id: string }>({ sentAt: timePart, id: idPart() });

interface Needs extends Pick<Dependencies, 'clock' | 'holdsPass' | 'limiter' | 'metrics' | 'operators'> {
  readonly mailInvitations: MailInvitations;
  /** Target of invitations. Undefined if no email is sent. */
  readonly invitesTo: string | undefined;
}
type Handler<Name extends keyof typeof MailInvitationServiceService> = RpcHandler<
  (typeof MailInvitationServiceService)[Name]
>;

export function mailInvitationHandlers(dependencies: Needs): RpcHandlers<typeof MailInvitationServiceService> {
  return {
    listMailInvitations: listMailInvitations(dependencies),
    inviteByMail: inviteByMail(dependencies),
    withdrawMailInvitation: withdrawMailInvitation(dependencies),
  };
}

export function listMailInvitations({ clock, mailInvitations }: Needs): Handler<'listMailInvitations'> {
  return async (request) => {
    const limit = pageSize(request.limit, usualPage, mailInvitationLimits.perPage);
    const page = { before: place.read(request.cursor), limit: limit + 1 };
    const { invitations } = admitted(await mailInvitations.list(actingOf(request), page, clock.now()));
    const last = invitations.length > limit ? invitations[limit - 1] : undefined;
    return { invitations: invitations.slice(0, limit), nextCursor: last && place.write(last) };
  };
}

/** Returns the addresses, or throws the first validation error. */
function readAddresses(typed: readonly string[]): string[] {
  const wrong = typed.find((text) => parseMailAddress(text) === undefined);
  if (wrong !== undefined || typed.length === 0 || typed.length > mailInvitationLimits.atOnce) {
    const what = `Send 1 to ${mailInvitationLimits.atOnce} email addresses at a time.`;
    throw failIdentity('invalid', 'mail_address_invalid', what, wrong === undefined ? undefined : { email: wrong });
  }
  return typed.flatMap((text) => parseMailAddress(text) ?? []);
}

export function inviteByMail(dependencies: Needs): Handler<'inviteByMail'> {
  const { clock, invitesTo, limiter, mailInvitations, metrics } = dependencies;
  const admit = admitOperator(dependencies);
  return async (request) => {
    const acting = actingOf(request);
    // Checked first, so people who are not operators learn nothing about validation and use no quota.
    await admit(request);
    const emails = readAddresses(request.emails);
    if (invitesTo === undefined) throw mailUnavailable();
    const deed = { emails, language: writtenLanguage(request.language), publicUrl: invitesTo };
    const quota = { name: 'mailInvitationsPerUserDay', key: acting.userId, count: emails.length } as const;
    const done = await withinQuota(limiter, quota, async () => {
      const invited = admitted(await mailInvitations.invite(acting, deed, clock.now()));
      if (invited.outcome !== 'too_many') return invited;
      const most = `At most ${mailInvitationLimits.waiting} invitations can be pending. Withdraw some first.`;
      throw failIdentity('conflict', 'too_many_mail_invitations', most);
    });
    metrics.operatorActs.inc({ action: 'mail_invitation_sent' }, done.invitations.length);
    return { invitations: done.invitations, known: done.known };
  };
}

export function withdrawMailInvitation(dependencies: Needs): Handler<'withdrawMailInvitation'> {
  const { clock, mailInvitations, metrics } = dependencies;
  const admit = admitOperator(dependencies);
  return async (request) => {
    const { id = '' } = request;
    if (!isId(id)) await admit(request);
    const done = isId(id)
      ? admitted(await mailInvitations.withdraw(actingOf(request), id, clock.now()))
      : { outcome: 'none' as const };
    if (done.outcome === 'none') {
      throw failIdentity('not_found', 'mail_invitation_not_found', 'This invitation is no longer valid.');
    }
    metrics.operatorActs.inc({ action: 'mail_invitation_withdrawn' });
    return {};
  };
}
