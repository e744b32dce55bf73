import type { RpcHandler } from '@nolo/kit/rpc';
import type { MarkServiceService } from '@nolo/proto/marks';
import { limits } from '@nolo/rules';
import { actorFrom, messageFrom } from '../domain/actor.ts';
import { checkMarkable } from '../domain/marks.ts';
import { failChat, messageNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

export function starMessage({ marks, clock, wake }: Dependencies): RpcHandler<typeof MarkServiceService.starMessage> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const place = await marks.find(actorId, messageFrom(request.messageId));
    if (!place) throw messageNotFound();
    if (request.starred) checkMarkable(place);
    const changed = await marks.star(actorId, place.message, request.starred, clock.now());
    if (changed === 'full') {
      throw failChat('conflict', 'too_many_stars', 'There are as many starred messages as there can be.', {
        max: limits.starsPerUser,
      });
    }
    if (changed) wake();
    return {};
  };
}
