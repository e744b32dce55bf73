import type { Knex } from '@nolo/kit/db';
import { deliverySubject } from '@nolo/kit/delivery';
import { enqueue } from '@nolo/kit/outbox';
import type { UserId } from '@nolo/kit/ids';
import type { StatusFrame } from '../domain/frames.ts';
import type { StatusId } from '../domain/status.ts';

/** SQL for two columns or parameters: true if each has the other as a contact and neither has blocked the other. */
const mutual = (one: string, other: string) => `
  exists (select from contacts c where c.owner_id = ${one} and c.user_id = ${other})
  and not exists (select from blocks b where b.blocker_id = ${one} and b.blocked_id = ${other})
  and not exists (select from blocks b where b.blocker_id = ${other} and b.blocked_id = ${one})`;

/** SQL that is true if a viewer who knows the author is in the audience of status update `s`. */
export const buildIsInAudienceSql = (viewer: string) => `
  (s.audience_mode = 'contacts' or (s.audience_mode = 'only') = (${viewer} = any(s.audience_ids)))`;

/** SQL for a table with one column, `user_id`: the people with whom a user shares status updates. */
export const buildAudienceMembersSql = (owner: string) => `
  select mine.user_id from contacts mine where mine.owner_id = ${owner} and ${mutual('mine.user_id', owner)}`;

/** SQL with parameter `:now` that is true if status update `s` exists. */
export const isLiveSql = 's.removed_at is null and s.expires_at > :now';

/** SQL that is true if `:viewer`, who knows the author, is in the audience. */
export const isForViewerSql = buildIsInAudienceSql('cast(:viewer as uuid)');

/** SQL that is true if `:viewer` may see someone else's status update `s`. */
export const isVisibleSql = `${isLiveSql} and ${isForViewerSql}
  and exists (select from contacts c where c.owner_id = :viewer and c.user_id = s.author_id)
  and ${mutual('s.author_id', 'cast(:viewer as uuid)')}`;

const readersSql = `
  select people.user_id from (${buildAudienceMembersSql('cast(:authorId as uuid)')}) people join statuses s on s.id = :id
  where ${buildIsInAudienceSql('people.user_id')}`;

/** Maximum recipients per outbox row. */
const maxRecipientsPerRow = 1_000;

/** Writes a frame to everyone who may see a status update and to its author, in the caller's transaction. */
export async function enqueueFrameForReaders(
  trx: Knex,
  { id, authorId }: { id: StatusId; authorId: UserId },
  frame: StatusFrame,
): Promise<void> {
  const { rows } = await trx.raw<{ rows: { user_id: UserId }[] }>(readersSql, { id, authorId });
  const all = [authorId, ...rows.map((row) => row.user_id)];
  const batches = Array.from({ length: Math.ceil(all.length / maxRecipientsPerRow) }, (_, index) =>
    all.slice(index * maxRecipientsPerRow, (index + 1) * maxRecipientsPerRow),
  );
  await enqueue(trx, ...batches.map((recipients) => ({ subject: deliverySubject, payload: { recipients, frame } })));
}

/** Writes a frame to one person in the caller's transaction. */
export async function enqueueFrameForPerson(trx: Knex, userId: UserId, frame: StatusFrame): Promise<void> {
  await enqueue(trx, { subject: deliverySubject, payload: { recipients: [userId], frame } });
}

/** Deletes pending frames about removed status updates. */
export async function withdrawFrames(trx: Knex, ids: readonly StatusId[]): Promise<void> {
  await trx('outbox').whereIn('key', ids).delete();
  await trx('outbox_parked').whereIn('key', ids).delete();
}
