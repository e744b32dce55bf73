import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import { noopUsageMeter, type UsageMeter } from '@nolo/installation/usage';
import type { PostInput, PostStore, ShownPost } from '../domain/posts.ts';
import { publishQueue } from '../domain/publishQueue.ts';
import { computePostInputUsage, computePostUsage } from '../domain/scheduledPostUsage.ts';
import { createSocialError } from '../errors.ts';
import { updatePostStates } from './deliveryStore.ts';
import type { PostDeliveryRow } from './shownPosts.ts';
import { enqueueFrames } from './enqueueFrames.ts';
import {
  lockPost,
  insertPost,
  requireBelowPostLimit,
  createPostBegunError,
  findPost,
  releaseMedia,
  createPostTransaction,
  toPostColumns,
} from './postRecords.ts';
import { createPostUsageCounter, isPossiblyPublished } from './postUsageCounter.ts';
import { createPostDeliveryScheduler } from './postDeliveryScheduler.ts';
import { createPostListStore } from './postLists.ts';

/** @param wake called after a commit that wrote frames or events */
export function createPostStore(
  db: Knex,
  jobs: JobScheduler,
  wake: () => void = () => undefined,
  meter: UsageMeter = noopUsageMeter,
): PostStore {
  const { mustNotHaveBegun, cancelJobs, addDeliveries, begin } = createPostDeliveryScheduler(jobs);
  const { recount, mustBeWithinPlan } = createPostUsageCounter(meter);

  const change = createPostTransaction(db, wake, meter);

  return {
    ...createPostListStore(db),

    add: (userId: UserId, id: string, draft: PostInput, maxScheduledPosts = Infinity): Promise<ShownPost> =>
      change(async (trx) => {
        await requireBelowPostLimit(trx, userId);
        const is = computePostInputUsage(id, draft);
        await mustBeWithinPlan(trx, userId, id, is, maxScheduledPosts);
        if (await insertPost(trx, { id, user_id: userId, state: 'draft', ...toPostColumns(draft) })) {
          await addDeliveries(trx, userId, id, draft);
          await recount(trx, userId, undefined, is);
          await updatePostStates(trx, [id]);
        }
        return await findPost(trx, userId, id);
      }),

    duplicate: (userId: UserId, id: string, draftId: string): Promise<ShownPost> =>
      change(async (trx) => {
        const { text, texts, media, wanted, deliveries } = await findPost(trx, userId, id);
        await requireBelowPostLimit(trx, userId);
        const connectionIds = [
          ...wanted.map((connection) => connection.id),
          ...deliveries.flatMap(({ connectionId }) => connectionId ?? []),
        ];
        const draft: PostInput = { text, texts, media, connectionIds, draft: true };
        if (await insertPost(trx, { id: draftId, user_id: userId, state: 'draft', ...toPostColumns(draft) })) {
          await updatePostStates(trx, [draftId]);
        }
        return await findPost(trx, userId, draftId);
      }),

    /** @throws AppError post_begun if publishing started first */
    edit: (userId: UserId, id: string, draft: PostInput, maxScheduledPosts = Infinity): Promise<ShownPost> =>
      change(async (trx) => {
        const { media, counted } = await lockPost(trx, userId, id);
        await mustNotHaveBegun(trx, id);
        const is = computePostInputUsage(id, draft);
        if (is?.useId !== counted?.useId) await mustBeWithinPlan(trx, userId, id, is, maxScheduledPosts);
        await recount(trx, userId, counted, is);
        await cancelJobs(trx, id);
        await trx('deliveries').where({ post_id: id }).delete();
        await trx('posts')
          .where({ id })
          .update({ ...toPostColumns(draft), version: trx.raw('version + 1') });
        await releaseMedia(trx, userId, media);
        await addDeliveries(trx, userId, id, draft);
        await updatePostStates(trx, [id]);
        return await findPost(trx, userId, id);
      }),

    /**
     * Cancels deliveries that have not begun or wait for another attempt. Published ones stay.
     *
     * @throws AppError post_begun if there is nothing to cancel
     */
    cancel: (userId: UserId, id: string): Promise<ShownPost> =>
      change(async (trx) => {
        const { counted } = await lockPost(trx, userId, id);
        const waiting = await trx<PostDeliveryRow>('deliveries')
          .where({ post_id: id, state: 'waiting' })
          .update({ state: 'cancelled' }, ['id']);
        if (waiting.length === 0) throw createPostBegunError();
        for (const { id: job } of waiting) await jobs.cancel(trx, publishQueue, job);
        await updatePostStates(trx, [id]);
        const post = await findPost(trx, userId, id);
        // A post that is published anywhere stays counted.
        await recount(trx, userId, counted, computePostUsage(post));
        return post;
      }),

    /** Retries failed deliveries. Published ones stay unchanged. */
    retry: (userId: UserId, id: string): Promise<ShownPost> =>
      change(async (trx) => {
        await lockPost(trx, userId, id);
        const failed = await trx<PostDeliveryRow>('deliveries').where({ post_id: id, state: 'failed' });
        for (const { id: deliveryId } of failed) await begin(trx, deliveryId);
        await updatePostStates(trx, [id]);
        return await findPost(trx, userId, id);
      }),

    /** Stores a person's review: the post was published, or it was not and must be sent. */
    resolve: (userId: UserId, id: string, deliveryId: string, wentOut: boolean, now: Date): Promise<ShownPost> =>
      change(async (trx) => {
        await lockPost(trx, userId, id);
        const where = { id: deliveryId, post_id: id, state: 'needs_review' };
        if (wentOut)
          await trx('deliveries').where(where).update({ state: 'published', reason: null, published_at: now });
        else if (await trx('deliveries').where(where).first('id')) await begin(trx, deliveryId);
        await updatePostStates(trx, [id]);
        return await findPost(trx, userId, id);
      }),

    remove: (userId: UserId, id: string): Promise<void> =>
      change(async (trx) => {
        const { media, counted } = await lockPost(trx, userId, id);
        const states = await trx<PostDeliveryRow>('deliveries').where({ post_id: id }).pluck('state');
        if (states.includes('publishing')) {
          throw createSocialError('conflict', 'post_begun', 'This post is being published.');
        }
        await cancelJobs(trx, id);
        await trx('posts').where({ id }).delete();
        if (!states.some(isPossiblyPublished)) await recount(trx, userId, counted, undefined);
        await releaseMedia(trx, userId, media);
        await enqueueFrames(trx, { userId, frame: { type: 'social_post_changed', data: { postId: id, state: null } } });
      }),
  };
}
