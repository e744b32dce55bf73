import type { Clock } from '@nolo/kit/clock';
import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type FileId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { SharedFileStore } from '../domain/sharedPorts.ts';

/** Published when messages with files are deleted; other messages may still use them. */
export const filesReleasedSubject = 'event.chat.files_released';

/** Published when status updates with files are deleted. */
export const statusFilesReleasedSubject = 'event.status.files_released';

/** Published when posts to social platforms with files are deleted. */
export const socialFilesReleasedSubject = 'event.social.files_released';

const event = z.object({ fileIds: z.array(z.string()).max(5_000) });

/** Schedules a check by the sweep, which queries those services and deletes unused files. Idempotent. */
export function onFilesReleased({ shared, clock }: { shared: SharedFileStore; clock: Clock }) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const ids = event.parse(data).fileIds.map((id) => parseId<FileId>(id));
    await shared.released(
      ids.filter((id) => id !== undefined),
      clock.now(),
    );
  };
}
