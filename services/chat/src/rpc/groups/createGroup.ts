import { newId, type ConversationId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { limits } from '@nolo/rules';
import { groupFull, tooManyGroups } from '../../errors.ts';
import { actorFrom, peopleFrom } from '../../domain/actor.ts';
import { groupDescriptionFrom, groupNameFrom, maxMembersFrom } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { conversationReply } from './inGroup.ts';
import { withFreeCode } from './roomCode.ts';

export function createGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.createGroup> {
  const { groups, clock, wake } = dependencies;
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const name = groupNameFrom(request.name);
    const description = groupDescriptionFrom(request.description);
    const people = peopleFrom(request.memberIds, actorId);
    if (people.length >= limits.groupMembersMax) throw groupFull(limits.groupMembersMax);
    const usual = Math.max(limits.groupMembersDefault, people.length + 1);
    const maxMembers = maxMembersFrom(request.maxMembers || usual, people.length + 1);
    if ((await groups.countOf(actorId)) >= limits.groupsPerUser) throw tooManyGroups(limits.groupsPerUser);
    const conversationId = newId<ConversationId>();
    const { skipped } = await withFreeCode(async (roomCode) => {
      let left: string[] = [];
      const group = {
        id: conversationId,
        ownerId: actorId,
        name,
        description,
        isPublic: request.isPublic,
        maxMembers,
        settings: {
          allowScreenShare: request.settings?.allowScreenShare ?? true,
          allowFileSharing: request.settings?.allowFileSharing ?? true,
          allowRecording: request.settings?.allowRecording ?? false,
          moderationEnabled: request.settings?.moderationEnabled ?? false,
        },
        roomCode,
      };
      await groups.create(group, clock.now(), async (created) => {
        const away = await created.unavailable(actorId, people);
        await created.enter([actorId], 'owner');
        await created.enter(
          people.filter((userId) => !away.has(userId)),
          'member',
        );
        await created.say(actorId, { kind: 'group_created', name });
        left = [...away];
      });
      return { skipped: left };
    });
    wake();
    return {
      conversation: await conversationReply(dependencies, { actorId, conversationId }),
      skipped: skipped.map((userId) => ({ userId, reason: 'unavailable' })),
    };
  };
}
