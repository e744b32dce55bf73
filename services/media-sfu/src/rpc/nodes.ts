import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceDefinition } from '@nolo/proto/media';
import type { Dependencies } from './dependencies.ts';

export function getNode({ describe }: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.getNode> {
  return async () => describe();
}
