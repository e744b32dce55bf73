import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { limits } from '@nolo/rules';
import { conversationNotFound, failChat, groupFull, tooManyGroups } from '../../errors.ts';
import { actorFrom } from '../../domain/actor.ts';
import { codeHolds, holdsInvite, wayIn } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { conversationReply } from './inGroup.ts';
import { groupByCode } from './roomCode.ts';

export function joinGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.joinGroup> {
  const { groups, clock, wake } = dependencies;
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const { address, inviteToken } = request;
    const found = await groupByCode(dependencies, request.roomCode, { actorId, address, inviteToken });
    const { id, code } = found;
    if ((await groups.countOf(actorId)) >= limits.groupsPerUser) throw tooManyGroups(limits.groupsPerUser);
    const now = clock.now();
    const done = await groups.change(id, [actorId], now, async (group) => {
      const who = group.standing(actorId);
      const traits = group.meta.group;
      const known = { name: group.meta.name ?? '', roomCode: code };
      if (who.role !== null) return { ...known, state: 'joined', entered: false, guarded: false };
      // Rotated or ended since it was looked up.
      if (!traits || !codeHolds(group.meta, code, now)) throw conversationNotFound();
      if (who.banned) throw failChat('forbidden', 'banned', 'You cannot join this group.');
      if (group.memberCount >= traits.maxMembers) throw groupFull(traits.maxMembers);
      const isInvited = holdsInvite(group, inviteToken, now);
      // Revoked since it was looked up, or not there: then it is the code alone.
      const guarded = found.guarded && !isInvited;
      if (wayIn(traits, who, isInvited, guarded) === 'enter') {
        await group.enter([actorId], 'member');
        await group.say(actorId, { kind: 'member_joined' });
        return { ...known, state: 'joined', entered: true, guarded: false };
      }
      if (!who.waiting) {
        if ((await group.countRequests()) >= limits.groupRequests) {
          throw failChat('conflict', 'too_many_requests', 'Too many people wait to be let in.');
        }
        await group.addRequest(actorId);
      }
      return { ...known, state: 'waiting', entered: false, guarded: guarded && traits.isPublic };
    });
    if (!done) throw conversationNotFound();
    wake();
    const joined = done.state === 'joined';
    const conversation = joined ? await conversationReply(dependencies, { actorId, conversationId: id }) : undefined;
    return { ...done, conversation };
  };
}
