import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { actorFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';

export function getPreferences({ preferences }: Dependencies): RpcHandler<typeof ChatServiceService.getPreferences> {
  return async (request) => ({ shareReceipts: await preferences.sharesReceipts(actorFrom(request.actorId)) });
}
