import type { Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import type { PostInput } from '../domain/posts.ts';
import { publishQueue } from '../domain/publishQueue.ts';
import type { PlatformId } from '../domain/platform.ts';
import { connectionNotFound } from './connectionStore.ts';
import type { PostDeliveryRow } from './shownPosts.ts';
import { createPostBegunError } from './postRecords.ts';

/** Stores the deliveries of a post and the jobs that send them. */
export function createPostDeliveryScheduler(jobs: JobScheduler) {
  const mustNotHaveBegun = async (trx: Knex, id: string): Promise<void> => {
    const first = await trx<PostDeliveryRow>('deliveries')
      .where({ post_id: id })
      .whereNotIn('state', ['waiting', 'cancelled'])
      .first('id');
    if (first) throw createPostBegunError();
  };
  const cancelJobs = async (trx: Knex, id: string): Promise<void> => {
    for (const { id: job } of await trx<PostDeliveryRow>('deliveries').where({ post_id: id }))
      await jobs.cancel(trx, publishQueue, job);
  };

  const addDeliveries = async (
    trx: Knex,
    userId: UserId,
    postId: string,
    { connectionIds, time, draft = false }: PostInput,
  ): Promise<void> => {
    if (draft) return;
    const connections = await trx<{ id: string; user_id: UserId; platform: PlatformId; name: string }>('connections')
      .where({ user_id: userId })
      .whereIn('id', connectionIds);
    if (connections.length !== connectionIds.length) {
      throw connectionNotFound();
    }
    const rows = connections.map(({ id, platform, name }) => ({
      id: newId(),
      post_id: postId,
      connection_id: id,
      platform,
      account_name: name,
      due_at: time?.at ?? trx.fn.now(),
    }));
    if (rows.length > 0) await trx('deliveries').insert(rows);
    const due = time ? { dueAt: time.at } : {};
    await jobs.addAll(
      trx,
      publishQueue,
      rows.map(({ id }) => ({ id, payload: { deliveryId: id }, ...due })),
    );
  };

  /** Resets a delivery, as if nothing had been sent. */
  async function begin(trx: Knex, deliveryId: string): Promise<void> {
    const fresh = {
      state: 'waiting',
      attempts: 0,
      since: null,
      kept: null,
      committed_at: null,
      reason: null,
      retry_at: null,
      due_at: trx.fn.now(),
    };
    await trx('deliveries').where({ id: deliveryId }).update(fresh);
    await jobs.add(trx, publishQueue, { deliveryId }, { id: deliveryId });
  }

  return { mustNotHaveBegun, cancelJobs, addDeliveries, begin };
}
