import { routes } from '@nolo/api';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { toSkippedPeople } from '../mapping/groupComposer.ts';
import { toBan, toGroupMember } from '../mapping/groups.ts';
import { toMemberRole } from '../mapping/chat.ts';
import { toIsoTime } from '../mapping/people.ts';
import { fromChangeEpoch } from '../mapping/epochs.ts';
import { toBytes } from '../mapping/keys.ts';
import { findPeopleWithGroupPrivacy } from '../mapping/findPeople.ts';
import { toPageOfPeople } from './toPageOfPeople.ts';

/** Routes for group members, their roles, and bans. */
export function bindGroupMembers(bind: BindRoute, context: Pick<GatewayContext, 'groups' | 'identity'>): void {
  const { groups } = context;
  const named = (actorId: string, conversationId: string) => ({ actorId, conversationId });

  bind(routes.listGroupMembers, async (routeCall) => {
    const { actor, params, query, rpc } = routeCall;
    const page = { ...named(actor.userId, params.id), cursor: query.cursor, limit: query.limit };
    const { members: rows, nextCursor } = await groups.listMembers(page, rpc);
    return toPageOfPeople(context, routeCall, { rows, nextCursor }, toGroupMember);
  });

  bind(routes.addGroupMembers, async ({ actor, params, body, rpc }) => {
    // Chat does not know which accounts exist.
    const { people, choices } = await findPeopleWithGroupPrivacy(context, actor.userId, body.userIds, rpc);
    const known = body.userIds.filter((userId) => people.has(userId));
    const { members, skipped, invitedIds } = await groups.addMembers(
      {
        ...named(actor.userId, params.id),
        userIds: known,
        choices,
        epoch: fromChangeEpoch(actor, body),
        additions: body.additions && { changes: body.additions.map(toBytes) },
      },
      rpc,
    );
    const unknown = body.userIds.filter((userId) => !people.has(userId));
    return {
      members: members.map((row) => toGroupMember(row, people)),
      invited: invitedIds,
      skipped: [
        ...toSkippedPeople(skipped),
        ...toSkippedPeople(unknown.map((userId) => ({ userId, reason: 'unavailable' }))),
      ],
    };
  });

  bind(routes.removeGroupMember, async ({ actor, params, body, rpc }) => {
    const epoch = fromChangeEpoch(actor, body);
    await groups.removeMember({ ...named(actor.userId, params.id), userId: params.userId, epoch }, rpc);
  });

  bind(routes.setGroupRole, async ({ actor, params, body, rpc }) => {
    const row = await groups.setRole(
      {
        ...named(actor.userId, params.id),
        userId: params.userId,
        role: body.role,
        epoch: fromChangeEpoch(actor, body),
      },
      rpc,
    );
    return {
      userId: row.userId,
      role: toMemberRole(row.role),
      changeSeq: row.changeSeq,
      joinedAt: toIsoTime(row.joinedAt),
      leftAt: null,
    };
  });

  bind(routes.leaveGroupChat, async ({ actor, params, body, rpc }) => {
    const leave = body?.leave === undefined ? undefined : toBytes(body.leave);
    await groups.leaveGroup({ ...named(actor.userId, params.id), leave }, rpc);
  });

  bind(routes.listGroupBans, async (routeCall) => {
    const { actor, params, query, rpc } = routeCall;
    const page = { ...named(actor.userId, params.id), cursor: query.cursor, limit: query.limit };
    const { bans: rows, nextCursor } = await groups.listBans(page, rpc);
    return toPageOfPeople(context, routeCall, { rows, nextCursor }, toBan);
  });

  bind(routes.banFromGroup, async ({ actor, params, body, rpc }) => {
    const epoch = fromChangeEpoch(actor, body);
    await groups.banMember({ ...named(actor.userId, params.id), userId: params.userId, epoch }, rpc);
  });

  bind(routes.unbanFromGroup, async ({ actor, params, rpc }) => {
    await groups.unbanMember({ ...named(actor.userId, params.id), userId: params.userId }, rpc);
  });
}
