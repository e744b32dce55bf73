import type { RpcContext } from '@nolo/kit/rpc';
import type { SharedFile, StoreFileRequest } from '@nolo/proto/sharedFiles';
import { limits } from '@nolo/rules';
import { makeFile } from '../../domain/makeFile.ts';
import { purgeShared } from '../../domain/purge.ts';
import { rawKey, type OpenFile } from '../../domain/sharedFiles.ts';
import { storageFullPlan, uploadNotFound } from '../../errors.ts';
import type { RpcDependencies } from '../dependencies.ts';
import { countMade } from './access.ts';
import { beginFile } from './beginFile.ts';
import { bytesOfStream, openStream } from '../incoming.ts';
import { toFileReply } from './replies.ts';

const most = Math.max(limits.singleUploadBytes, limits.importBytes);

export function storeFile(dependencies: RpcDependencies) {
  const { shared, storage, allowedBytes, clock, metrics } = dependencies;

  const giveUp = async (file: OpenFile, log: RpcContext['log']): Promise<void> => {
    try {
      await shared.giveUp(file.id);
      await purgeShared(dependencies, [file]);
    } catch (error) {
      log.warn({ err: error }, 'the bytes of an upload that failed could not be deleted yet');
    }
  };

  return async (requests: AsyncIterable<StoreFileRequest>, { log }: RpcContext): Promise<SharedFile> => {
    const { header, rest } = await openStream(requests);
    const file = await beginFile(dependencies, { ...header, multipart: false });
    try {
      const allowed = await allowedBytes(file.ownerId);
      const used = await shared.usage(file.ownerId);
      let came = 0;
      const count = (bytes: number) => {
        metrics.bytes.inc({ direction: 'in' }, bytes);
        came += bytes;
        // How much will come may not be known before.
        if (used + came > allowed) throw storageFullPlan(used, allowed);
      };
      const size = await storage.put(rawKey(file), bytesOfStream(rest, { maxBytes: most, count }));
      if (!(await shared.arrived(file.id, size, clock.now()))) throw uploadNotFound();
      return toFileReply(countMade(dependencies, await makeFile(dependencies, file)));
    } catch (error) {
      await giveUp(file, log);
      throw error;
    }
  };
}
