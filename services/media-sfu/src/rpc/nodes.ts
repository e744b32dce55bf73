import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import type { Dependencies } from './dependencies.ts';

export function getNode({ describe }: Dependencies): RpcHandler<typeof MediaServiceService.getNode> {
  return async () => describe();
}
