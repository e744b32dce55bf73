import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { actorFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';

export function updatePreferences({
  preferences,
}: Dependencies): RpcHandler<typeof ChatServiceService.updatePreferences> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    if (request.shareReceipts !== undefined) await preferences.setSharesReceipts(actorId, request.shareReceipts);
    return { shareReceipts: await preferences.sharesReceipts(actorId) };
  };
}
