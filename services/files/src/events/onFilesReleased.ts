import type { Clock } from '@nolo/kit/clock';
import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type FileId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { SharedFileStore } from '../domain/sharedPorts.ts';

/** Tells that messages which named files are gone; others may still name them. */
export const filesReleased = 'event.chat.files_released';

/** The same of status updates. */
export const statusFilesReleased = 'event.status.files_released';

/** The same of posts to social platforms. */
export const socialFilesReleased = 'event.social.files_released';

const event = z.object({ fileIds: z.array(z.string()).max(5_000) });

/** The sweep asks those services about them and deletes those that nothing names. Doing it again changes nothing. */
export function onFilesReleased({ shared, clock }: { shared: SharedFileStore; clock: Clock }) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const ids = event.parse(data).fileIds.map((id) => parseId<FileId>(id));
    await shared.released(
      ids.filter((id) => id !== undefined),
      clock.now(),
    );
  };
}
