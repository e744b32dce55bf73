import { parseId, type FileId } from '@nolo/kit/ids';
import type { RpcContext } from '@nolo/kit/rpc';
import type { RemoveGroupPictureReply, RemoveGroupPictureRequest } from '@nolo/proto/files';
import { purgeObjects } from '../domain/purge.ts';
import type { RpcDependencies } from './dependencies.ts';

export function removeGroupPicture(dependencies: RpcDependencies) {
  return async (request: RemoveGroupPictureRequest, { log }: RpcContext): Promise<RemoveGroupPictureReply> => {
    const id = parseId<FileId>(/^\/objects\/([^/]+)$/.exec(request.objectPath)?.[1]);
    if (!id) return {};
    try {
      await purgeObjects(dependencies, await dependencies.objects.giveUpOne(id, 'group_picture'));
    } catch (error) {
      // Nobody can read it any more; the sweep takes the bytes away.
      log.warn({ err: error }, 'the bytes of a removed picture could not be deleted yet');
    }
    return {};
  };
}
