import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { Jobs } from '@nolo/kit/jobs';
import { noMeter, type Meter } from '@nolo/kit/usage';
import type { Draft, PostStore, ShownPost } from '../domain/posts.ts';
import { publishing } from '../domain/publishing.ts';
import { scheduledBy, scheduledOf } from '../domain/scheduled.ts';
import { failSocial } from '../errors.ts';
import { settlePosts } from './deliveryStore.ts';
import type { DeliveryRow } from './shownPosts.ts';
import { tell } from './telling.ts';
import {
  hold,
  insertPost,
  mustHaveRoom,
  postBegun,
  postOf,
  release,
  createPostChange,
  columnsOf,
} from './postRecords.ts';
import { createPostCounting, mayBeOut } from './postCounting.ts';
import { createPostDeliveries } from './postDeliveries.ts';
import { createPostLists } from './postLists.ts';

/** @param wake called after a commit that wrote frames or events */
export function createPostStore(
  db: Knex,
  jobs: Jobs,
  wake: () => void = () => undefined,
  meter: Meter = noMeter,
): PostStore {
  const { mustNotHaveBegun, cancelJobs, addDeliveries, begin } = createPostDeliveries(jobs);
  const { recount, mustBeWithinPlan } = createPostCounting(meter);

  const change = createPostChange(db, wake, meter);

  return {
    ...createPostLists(db),

    add: (userId: UserId, id: string, draft: Draft, mostScheduled = Infinity): Promise<ShownPost> =>
      change(async (trx) => {
        await mustHaveRoom(trx, userId);
        const is = scheduledBy(id, draft);
        await mustBeWithinPlan(trx, userId, id, is, mostScheduled);
        if (await insertPost(trx, { id, user_id: userId, state: 'draft', ...columnsOf(draft) })) {
          await addDeliveries(trx, userId, id, draft);
          await recount(trx, userId, undefined, is);
          await settlePosts(trx, [id]);
        }
        return await postOf(trx, userId, id);
      }),

    duplicate: (userId: UserId, id: string, draftId: string): Promise<ShownPost> =>
      change(async (trx) => {
        const { text, texts, media, wanted, deliveries } = await postOf(trx, userId, id);
        await mustHaveRoom(trx, userId);
        const connectionIds = [
          ...wanted.map((connection) => connection.id),
          ...deliveries.flatMap(({ connectionId }) => connectionId ?? []),
        ];
        const draft: Draft = { text, texts, media, connectionIds, draft: true };
        if (await insertPost(trx, { id: draftId, user_id: userId, state: 'draft', ...columnsOf(draft) })) {
          await settlePosts(trx, [draftId]);
        }
        return await postOf(trx, userId, draftId);
      }),

    /** @throws AppError post_begun if publishing started first */
    edit: (userId: UserId, id: string, draft: Draft, mostScheduled = Infinity): Promise<ShownPost> =>
      change(async (trx) => {
        const { media, counted } = await hold(trx, userId, id);
        await mustNotHaveBegun(trx, id);
        const is = scheduledBy(id, draft);
        if (is?.useId !== counted?.useId) await mustBeWithinPlan(trx, userId, id, is, mostScheduled);
        await recount(trx, userId, counted, is);
        await cancelJobs(trx, id);
        await trx('deliveries').where({ post_id: id }).delete();
        await trx('posts')
          .where({ id })
          .update({ ...columnsOf(draft), version: trx.raw('version + 1') });
        await release(trx, userId, media);
        await addDeliveries(trx, userId, id, draft);
        await settlePosts(trx, [id]);
        return await postOf(trx, userId, id);
      }),

    /**
     * Cancels deliveries that have not begun or wait for another attempt. Published ones stay.
     *
     * @throws AppError post_begun if there is nothing to cancel
     */
    cancel: (userId: UserId, id: string): Promise<ShownPost> =>
      change(async (trx) => {
        const { counted } = await hold(trx, userId, id);
        const waiting = await trx<DeliveryRow>('deliveries')
          .where({ post_id: id, state: 'waiting' })
          .update({ state: 'cancelled' }, ['id']);
        if (waiting.length === 0) throw postBegun();
        for (const { id: job } of waiting) await jobs.cancel(trx, publishing, job);
        await settlePosts(trx, [id]);
        const post = await postOf(trx, userId, id);
        // A post that is published anywhere stays counted.
        await recount(trx, userId, counted, scheduledOf(post));
        return post;
      }),

    /** Retries failed deliveries. Published ones stay unchanged. */
    retry: (userId: UserId, id: string): Promise<ShownPost> =>
      change(async (trx) => {
        await hold(trx, userId, id);
        const failed = await trx<DeliveryRow>('deliveries').where({ post_id: id, state: 'failed' });
        for (const { id: deliveryId } of failed) await begin(trx, deliveryId);
        await settlePosts(trx, [id]);
        return await postOf(trx, userId, id);
      }),

    /** Stores a person's review: the post was published, or it was not and must be sent. */
    resolve: (userId: UserId, id: string, deliveryId: string, wentOut: boolean, now: Date): Promise<ShownPost> =>
      change(async (trx) => {
        await hold(trx, userId, id);
        const where = { id: deliveryId, post_id: id, state: 'needs_review' };
        if (wentOut)
          await trx('deliveries').where(where).update({ state: 'published', reason: null, published_at: now });
        else if (await trx('deliveries').where(where).first('id')) await begin(trx, deliveryId);
        await settlePosts(trx, [id]);
        return await postOf(trx, userId, id);
      }),

    remove: (userId: UserId, id: string): Promise<void> =>
      change(async (trx) => {
        const { media, counted } = await hold(trx, userId, id);
        const states = await trx<DeliveryRow>('deliveries').where({ post_id: id }).pluck('state');
        if (states.includes('publishing')) {
          throw failSocial('conflict', 'post_begun', 'This post is being published.');
        }
        await cancelJobs(trx, id);
        await trx('posts').where({ id }).delete();
        if (!states.some(mayBeOut)) await recount(trx, userId, counted, undefined);
        await release(trx, userId, media);
        await tell(trx, { userId, frame: { type: 'social_post_changed', data: { postId: id, state: null } } });
      }),
  };
}
