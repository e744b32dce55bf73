import { parseActorId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { EpochServiceDefinition } from '@nolo/proto/epochs';
import { limits } from '@nolo/rules';
import { createChatError } from '../errors.ts';
import type { EpochDependencies } from './epochDependencies.ts';

export function findNamedAccounts({
  conversationEpochs,
}: EpochDependencies): RpcHandler<typeof EpochServiceDefinition.methods.findNamedAccounts> {
  return async ({ actorId, userIds }) => {
    if (userIds.length > limits.listStateAccounts)
      throw createChatError('invalid', 'too_many_ids', 'Too many accounts in one request.');
    const actor = actorId === undefined ? undefined : parseActorId(actorId);
    return { userIds: await conversationEpochs.namedAmong(userIds.map(parseActorId), actor) };
  };
}
