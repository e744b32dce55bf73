import { routes } from '@nolo/api';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { toSkippedPeople } from '../mapping/groupComposer.ts';
import { toBan, toGroupMember } from '../mapping/groups.ts';
import { toMemberRole } from '../mapping/chat.ts';
import { toIsoTime } from '../mapping/people.ts';
import { fromChangeEpoch } from '../mapping/epochs.ts';
import { toBytes } from '../mapping/keys.ts';
import { findPeople, findPeopleWithGroupPrivacy } from '../mapping/findPeople.ts';

/** Routes for group members, their roles, and bans. */
export function bindGroupMembers(bind: BindRoute, context: Pick<GatewayContext, 'groups' | 'identity'>): void {
  const { groups } = context;
  const named = (actorId: string, conversationId: string) => ({ actorId, conversationId });

  bind(routes.listGroupMembers, async ({ actor, params, query, rpc, response }) => {
    const page = await groups.listMembers(
      { ...named(actor.userId, params.id), cursor: query.cursor, limit: query.limit },
      rpc,
    );
    setNextPageHeader(response, page.nextCursor);
    const people = await findPeople(
      context,
      actor.userId,
      page.members.map(({ userId }) => userId),
      rpc,
    );
    return page.members.map((row) => toGroupMember(row, people));
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

  bind(routes.listGroupBans, async ({ actor, params, query, rpc, response }) => {
    const page = await groups.listBans(
      { ...named(actor.userId, params.id), cursor: query.cursor, limit: query.limit },
      rpc,
    );
    setNextPageHeader(response, page.nextCursor);
    const people = await findPeople(
      context,
      actor.userId,
      page.bans.map(({ userId }) => userId),
      rpc,
    );
    return page.bans.map((row) => toBan(row, people));
  });

  bind(routes.banFromGroup, async ({ actor, params, body, rpc }) => {
    const epoch = fromChangeEpoch(actor, body);
    await groups.banMember({ ...named(actor.userId, params.id), userId: params.userId, epoch }, rpc);
  });

  bind(routes.unbanFromGroup, async ({ actor, params, rpc }) => {
    await groups.unbanMember({ ...named(actor.userId, params.id), userId: params.userId }, rpc);
  });
}
