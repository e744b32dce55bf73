import { routes } from '@nolo/api';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { createGroupComposer } from '../mapping/groupComposer.ts';
import { toInvitation, toInvitedPerson } from '../mapping/groups.ts';
import { findPeople } from '../mapping/findPeople.ts';
import { toPageOfPeople } from './toPageOfPeople.ts';

/** Routes for group invitations, for invitees and for members. */
export function bindGroupInvitations(bind: BindRoute, context: Pick<GatewayContext, 'groups' | 'identity'>): void {
  const { groups } = context;
  const { compose } = createGroupComposer(context);

  bind(routes.listGroupInvitations, async ({ actor, rpc }) => {
    const { invitations } = await groups.listInvitations({ actorId: actor.userId }, rpc);
    const inviters = invitations.flatMap(({ invitedBy }) => invitedBy ?? []);
    const people = await findPeople(context, actor.userId, inviters, rpc);
    return invitations.map((row) => toInvitation(row, people));
  });

  bind(routes.acceptGroupInvitation, async ({ actor, params, rpc }) => {
    const { conversation } = await groups.answerInvitation(
      { actorId: actor.userId, conversationId: params.id, accept: true },
      rpc,
    );
    if (!conversation) throw createGatewayError('not_found', 'conversation_not_found', 'Group chat not found.');
    return compose(actor.userId, conversation, rpc);
  });

  bind(routes.declineGroupInvitation, async ({ actor, params, rpc }) => {
    await groups.answerInvitation({ actorId: actor.userId, conversationId: params.id, accept: false }, rpc);
  });

  bind(routes.listGroupInvited, async (routeCall) => {
    const { actor, params, query, rpc } = routeCall;
    const page = { actorId: actor.userId, conversationId: params.id, cursor: query.cursor, limit: query.limit };
    const { invited: rows, nextCursor } = await groups.listInvited(page, rpc);
    return toPageOfPeople(context, routeCall, { rows, nextCursor }, toInvitedPerson);
  });
}
