import type { GetUsageReply, GetUsageRequest } from '@nolo/proto/transcriber';
import { transcriptionMinutes } from '@nolo/rules';
import { monthOf } from '../domain/usage.ts';
import type { RpcDependencies } from './dependencies.ts';
import { parseActor } from './parse.ts';

export function getUsage({ usage, planOf, clock }: Pick<RpcDependencies, 'usage' | 'planOf' | 'clock'>) {
  return async (request: GetUsageRequest): Promise<GetUsageReply> => {
    const actorId = parseActor(request.actorId);
    const month = monthOf(clock.now());
    const [usedSeconds, plan] = await Promise.all([usage.used(actorId, month), planOf(actorId)]);
    return { month, usedSeconds, limitSeconds: transcriptionMinutes[plan] * 60 };
  };
}
