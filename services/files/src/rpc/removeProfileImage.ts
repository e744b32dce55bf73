import type { RpcContext } from '@nolo/kit/rpc';
import type { RemoveProfileImageReply, RemoveProfileImageRequest } from '@nolo/proto/files';
import { purgeObjects } from '../domain/purge.ts';
import type { RpcDependencies } from './dependencies.ts';
import { parseActor } from './parse.ts';

export function removeProfileImage(dependencies: RpcDependencies) {
  return async (request: RemoveProfileImageRequest, { log }: RpcContext): Promise<RemoveProfileImageReply> => {
    const givenUp = await dependencies.objects.giveUp(parseActor(request.actorId), 'profile_image');
    try {
      await purgeObjects(dependencies, givenUp);
    } catch (error) {
      // Nobody can read it any more; the sweep takes the bytes away.
      log.warn({ err: error }, 'the bytes of a removed picture could not be deleted yet');
    }
    return {};
  };
}
