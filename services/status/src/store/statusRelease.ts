import type { Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import { withdrawFrames } from './visibility.ts';
import type { StatusRow } from './statusRows.ts';

/**
 * Event for files: status updates that used these files were deleted, but other updates or messages may still use them.
 */
const filesReleased = 'event.status.files_released';

/** Releases files in the transaction that deletes status updates. */
export async function releaseStatusFiles(
  trx: Knex,
  rows: readonly Pick<StatusRow, 'id' | 'author_id' | 'file_id' | 'preview_file_id'>[],
) {
  const fileIds = rows.flatMap((row) => [row.file_id, row.preview_file_id]).filter((id) => id !== null);
  const [first] = rows;
  if (first && fileIds.length > 0) {
    await appendEvents(trx, { subject: filesReleased, key: first.author_id, payload: { fileIds } });
  }
  await withdrawFrames(
    trx,
    rows.map(({ id }) => id),
  );
}
