import { isId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { actorFrom } from '../../domain/actor.ts';
import type { Dependencies } from '../dependencies.ts';
import { conversationReply } from './inGroup.ts';
import { groupByCode } from './roomCode.ts';

export function lookUpGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.lookUpGroup> {
  return async ({ actorId: id, idOrCode, address }) => {
    const actorId = actorFrom(id);
    if (isId(idOrCode)) {
      const value = await conversationReply(dependencies, { actorId, conversationId: idOrCode });
      return { group: { $case: 'conversation', value } };
    }
    const found = await groupByCode(dependencies, idOrCode, { actorId, address });
    if (found.standing.role !== null) {
      const value = await conversationReply(dependencies, { actorId, conversationId: found.id });
      return { group: { $case: 'conversation', value } };
    }
    const { meta, memberCount, standing } = found;
    const isPublic = meta.group?.isPublic ?? false;
    return {
      group: {
        $case: 'preview',
        value: {
          name: meta.name ?? '',
          picturePath: meta.picturePath ?? '',
          memberCount,
          maxMembers: meta.group?.maxMembers ?? 0,
          isPublic,
          guarded: found.guarded && isPublic,
          roomCode: found.code,
          membership: standing.banned ? 'banned' : standing.waiting ? 'waiting' : 'none',
        },
      },
    };
  };
}
