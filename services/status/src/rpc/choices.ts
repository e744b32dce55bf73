import { parseActorId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { StatusAudience, StatusServiceDefinition } from '@nolo/proto/status';
import { limits } from '@nolo/rules';
import { parseStatusAudience, allContactsAudience, type AudienceSelection } from '../domain/status.ts';
import { tooManyMutes } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

const toReply = ({ mode, userIds }: AudienceSelection): StatusAudience => ({ mode, userIds: [...userIds] });

export function getStatusAudience({
  choices,
}: Dependencies): RpcHandler<typeof StatusServiceDefinition.methods.getStatusAudience> {
  return async (request) => toReply(await choices.audienceOf(parseActorId(request.actorId)));
}

export function setStatusAudience({
  choices,
}: Dependencies): RpcHandler<typeof StatusServiceDefinition.methods.setStatusAudience> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const audience = parseStatusAudience(actorId, request.audience ?? { ...allContactsAudience, userIds: [] });
    await choices.setAudience(actorId, audience);
    return toReply(audience);
  };
}

export function setStatusMute({
  choices,
}: Dependencies): RpcHandler<typeof StatusServiceDefinition.methods.setStatusMute> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    if (!(await choices.setMute(actorId, parseActorId(request.authorId), request.muted))) {
      throw tooManyMutes(limits.statusMutesPerUser);
    }
    return {};
  };
}
