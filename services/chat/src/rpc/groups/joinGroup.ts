import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { limits } from '@nolo/rules';
import { conversationNotFound, failChat, groupFull, tooManyGroups } from '../../errors.ts';
import { actorFrom } from '../../domain/actor.ts';
import { codeHolds, wayIn } from '../../domain/group.ts';
import type { GroupChange } from '../../domain/groupPorts.ts';
import { hashToken } from '../../domain/tokens.ts';
import type { Dependencies } from '../dependencies.ts';
import { conversationReply } from './inGroup.ts';
import { groupByCode } from './roomCode.ts';

/** Hashes of equal tokens are equal, and nothing is learned from how long it takes. */
function holdsInvite({ inviteHash, meta }: GroupChange, token: string, now: Date): boolean {
  const expiresAt = meta.group?.inviteExpiresAt ?? null;
  if (token === '' || inviteHash === null || (expiresAt !== null && expiresAt <= now)) return false;
  return hashToken(token).equals(inviteHash);
}

export function joinGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.joinGroup> {
  const { groups, clock, wake } = dependencies;
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const { id, code } = await groupByCode(dependencies, request.roomCode, { actorId, address: request.address });
    if ((await groups.countOf(actorId)) >= limits.groupsPerUser) throw tooManyGroups(limits.groupsPerUser);
    const now = clock.now();
    const done = await groups.change(id, [actorId], now, async (group) => {
      const who = group.standing(actorId);
      const traits = group.meta.group;
      const known = { name: group.meta.name ?? '', roomCode: code };
      if (who.role !== null) return { ...known, state: 'joined', entered: false };
      // Rotated or ended since it was looked up.
      if (!traits || !codeHolds(group.meta, code, now)) throw conversationNotFound();
      if (who.banned) throw failChat('forbidden', 'banned', 'You cannot join this group.');
      if (group.memberCount >= traits.maxMembers) throw groupFull(traits.maxMembers);
      if (wayIn(traits, who, holdsInvite(group, request.inviteToken, now)) === 'enter') {
        await group.enter([actorId], 'member');
        await group.say(actorId, { kind: 'member_joined' });
        return { ...known, state: 'joined', entered: true };
      }
      if (!who.waiting) {
        if ((await group.countRequests()) >= limits.groupRequests) {
          throw failChat('conflict', 'too_many_requests', 'Too many people wait to be let in.');
        }
        await group.addRequest(actorId);
      }
      return { ...known, state: 'waiting', entered: false };
    });
    if (!done) throw conversationNotFound();
    wake();
    const joined = done.state === 'joined';
    const conversation = joined ? await conversationReply(dependencies, { actorId, conversationId: id }) : undefined;
    return { ...done, conversation };
  };
}
