import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { PictureObjectStore, StorageDriver, PictureUploadStore } from '../domain/ports.ts';
import { purgePictureObjects, purgePictureUploads } from '../domain/purge.ts';
import type { ExportStore } from '../domain/exports.ts';
import type { SharedFileStore } from '../domain/sharedPorts.ts';

/** Published when an account is deleted. */
export const userDeletedSubject = 'event.identity.user_deleted';

const event = z.object({ userId: z.string() });

/** Deletes everything that the person uploaded. Idempotent. */
export function onUserDeleted(dependencies: {
  uploads: PictureUploadStore;
  objects: PictureObjectStore;
  shared: SharedFileStore;
  exports: Pick<ExportStore<never>, 'giveUpOf'>;
  storage: StorageDriver;
}) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const userId = parseId<UserId>(event.parse(data).userId);
    if (!userId) throw new Error('The event has no user id.');
    await purgePictureUploads(dependencies, await dependencies.uploads.listOf(userId));
    await purgePictureObjects(dependencies, await dependencies.objects.giveUp(userId));
    // The files are unreadable from now on. There may be many, so the sweep deletes their bytes.
    await dependencies.shared.giveUpOf(userId);
    await dependencies.exports.giveUpOf(userId);
  };
}
