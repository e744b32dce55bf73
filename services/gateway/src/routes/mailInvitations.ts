import { nextCursorHeader, routes, type MailInvitation } from '@nolo/api';
import type { MailInvitation as Row } from '@nolo/proto/mailInvitations';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { callerOf } from './callerOf.ts';
import { toIsoTime } from '../mapping/people.ts';

const toInvitation = ({ id = '', email = '', sentAt, expiresAt }: Row): MailInvitation => ({
  id,
  email,
  sentAt: toIsoTime(sentAt),
  expiresAt: toIsoTime(expiresAt),
});

/** Routes for inviting people by email to create an account. */
export function bindMailInvitations(
  bind: BindRoute,
  { mailInvitations }: Pick<GatewayContext, 'mailInvitations'>,
): void {
  bind(routes.listMailInvitations, async ({ actor, query, rpc, response }) => {
    const page = await mailInvitations.listMailInvitations({ ...callerOf(actor), ...query }, rpc);
    if (page.nextCursor !== undefined) response.setHeader(nextCursorHeader, page.nextCursor);
    return page.invitations.map(toInvitation);
  });
  bind(routes.inviteByMail, async ({ actor, body, rpc }) => {
    const { invitations, known } = await mailInvitations.inviteByMail({ ...callerOf(actor), ...body }, rpc);
    return { invitations: invitations.map(toInvitation), known };
  });
  bind(routes.withdrawMailInvitation, async ({ actor, params, rpc }) => {
    await mailInvitations.withdrawMailInvitation({ ...callerOf(actor), id: params.id }, rpc);
  });
}
