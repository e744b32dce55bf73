import type { Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import { takeBackFrames } from './visibility.ts';
import type { StatusRow } from './statusRows.ts';

/** Tells files that status updates which named these are gone; others, or messages, may still name them. */
const filesReleased = 'event.status.files_released';

/** In the transaction that takes status updates away. */
export async function release(
  trx: Knex,
  rows: readonly Pick<StatusRow, 'id' | 'author_id' | 'file_id' | 'preview_file_id'>[],
) {
  const fileIds = rows.flatMap((row) => [row.file_id, row.preview_file_id]).filter((id) => id !== null);
  const [first] = rows;
  if (first && fileIds.length > 0) {
    await appendEvents(trx, { subject: filesReleased, key: first.author_id, payload: { fileIds } });
  }
  await takeBackFrames(
    trx,
    rows.map(({ id }) => id),
  );
}
