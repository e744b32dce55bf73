import { routes } from '@nolo/api';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import type { Bind } from '../http/bind.ts';
import { tellNextPage } from '../http/nextPage.ts';
import { createGroupComposer } from './groupComposer.ts';
import { toInvitation, toInvited } from './mapGroups.ts';
import { findPeople } from './people.ts';

/** Routes for group invitations, for invitees and for members. */
export function bindGroupInvitations(bind: Bind, edge: Edge): void {
  const { groups } = edge;
  const { compose } = createGroupComposer(edge);

  bind(routes.listGroupInvitations, async ({ actor, rpc }) => {
    const { invitations } = await groups.listInvitations({ actorId: actor.userId }, rpc);
    const inviters = invitations.flatMap(({ invitedBy }) => invitedBy ?? []);
    const people = await findPeople(edge, actor.userId, inviters, rpc);
    return invitations.map((row) => toInvitation(row, people));
  });

  bind(routes.acceptGroupInvitation, async ({ actor, params, rpc }) => {
    const { conversation } = await groups.answerInvitation(
      { actorId: actor.userId, conversationId: params.id, accept: true },
      rpc,
    );
    if (!conversation) throw failGateway('not_found', 'conversation_not_found', 'Group chat not found.');
    return compose(actor.userId, conversation, rpc);
  });

  bind(routes.declineGroupInvitation, async ({ actor, params, rpc }) => {
    await groups.answerInvitation({ actorId: actor.userId, conversationId: params.id, accept: false }, rpc);
  });

  bind(routes.listGroupInvited, async ({ actor, params, query, rpc, response }) => {
    const page = await groups.listInvited(
      { actorId: actor.userId, conversationId: params.id, cursor: query.cursor, limit: query.limit },
      rpc,
    );
    tellNextPage(response, page.nextCursor);
    const invited = page.invited.flatMap(({ userId }) => userId ?? []);
    const people = await findPeople(edge, actor.userId, invited, rpc);
    return page.invited.map((row) => toInvited(row, people));
  });
}
