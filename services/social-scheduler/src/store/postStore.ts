import { inTransaction, type Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import { newId, type FileId, type UserId } from '@nolo/kit/ids';
import type { Jobs } from '@nolo/kit/jobs';
import { noMeter, type Meter } from '@nolo/kit/usage';
import { socialLimits } from '@nolo/rules';
import { beyondPlan } from '../domain/entitlements.ts';
import type { MediaReference, PostState } from '../domain/ports.ts';
import type { Draft, PostPage, PostStore, ShownPost, StateCounts } from '../domain/posts.ts';
import { publishing } from '../domain/publishing.ts';
import { countedFeature, scheduledBy, scheduledOf, type Scheduled } from '../domain/scheduled.ts';
import { failSocial } from '../errors.ts';
import type { PlatformId } from '../domain/platform.ts';
import { connectionNotFound } from './connectionStore.ts';
import { settlePosts } from './deliveryStore.ts';
import { findPosts, listPosts, type DeliveryRow, type PostRow } from './shownPosts.ts';
import { tell } from './telling.ts';

/** Tells files that posts which named these are gone; others may still name them. */
const filesReleased = 'event.social.files_released';

/** A post as it is while nobody else changes it. */
interface Held extends Pick<PostRow, 'media' | 'state'> {
  readonly counted: Scheduled | undefined;
}

/** @param wake called after a commit that wrote frames or events. */
export function createPostStore(
  db: Knex,
  jobs: Jobs,
  wake: () => void = () => undefined,
  meter: Meter = noMeter,
): PostStore {
  /** In the caller's transaction; people are told after it. */
  const change = async <T>(work: (trx: Knex) => Promise<T>): Promise<T> => {
    const done = await inTransaction(db, work);
    wake();
    void meter.deliver();
    return done;
  };

  /** Tells what a post counted as so far, and what it counts as now. */
  const recount = async (trx: Knex, userId: UserId, was: Scheduled | undefined, is: Scheduled | undefined) => {
    if (was?.useId === is?.useId) return;
    const use = { userId, feature: countedFeature };
    if (was) await meter.end(trx, { ...use, id: was.useId, at: was.at, amount: 'released' });
    if (is) await meter.end(trx, { ...use, id: is.useId, at: is.at, amount: 1 });
  };

  /** The post, held until the transaction ends, so that nothing begins meanwhile. */
  const hold = async (trx: Knex, userId: UserId, id: string): Promise<Held> => {
    const row = await trx<PostRow>('posts').where({ id, user_id: userId }).forUpdate().first();
    if (!row) throw postNotFound();
    const { media, state } = row;
    const counted = scheduledOf({ id, state, scheduledAt: row.scheduled_at, localTime: row.local_time });
    return { media, state, counted };
  };
  const mustNotHaveBegun = async (trx: Knex, id: string): Promise<void> => {
    const first = await trx<DeliveryRow>('deliveries')
      .where({ post_id: id })
      .whereNotIn('state', ['waiting', 'cancelled'])
      .first('id');
    if (first) throw begun();
  };
  const cancelJobs = async (trx: Knex, id: string): Promise<void> => {
    for (const { id: job } of await trx<DeliveryRow>('deliveries').where({ post_id: id }))
      await jobs.cancel(trx, publishing, job);
  };

  const addDeliveries = async (
    trx: Knex,
    userId: UserId,
    postId: string,
    { connectionIds, time, draft = false }: Draft,
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
      publishing,
      rows.map(({ id }) => ({ id, payload: { deliveryId: id }, ...due })),
    );
  };

  const write = (draft: Draft) => ({
    text: draft.text,
    texts: JSON.stringify(draft.texts),
    media: JSON.stringify(draft.media),
    scheduled_at: draft.time?.at ?? null,
    local_time: draft.time?.local ?? null,
    time_zone: draft.time?.zone ?? null,
    wanted: draft.draft === true ? [...draft.connectionIds] : [],
  });

  /** Whoever adds posts of one person does so one after the other, so that no more are kept than may be. */
  const mustHaveRoom = async (trx: Knex, userId: UserId): Promise<void> => {
    await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 1))', [userId]);
    const [row] = await trx('posts').where({ user_id: userId }).count('* as kept');
    if (Number(row?.['kept'] ?? 0) < socialLimits.socialPostsPerUser) return;
    throw failSocial('conflict', 'too_many_posts', 'There are too many posts; forget some of them first.', {
      limit: socialLimits.socialPostsPerUser,
    });
  };
  /** Of those that are there; what billing knows of others counts as well, where it can be asked. */
  const mustBeWithinPlan = async (trx: Knex, userId: UserId, id: string, is: Scheduled | undefined, most: number) => {
    if (!is || most === Infinity) return;
    await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 1))', [userId]);
    const [row] = await trx('posts')
      .where({ user_id: userId })
      .whereNot({ id })
      .whereNotNull('scheduled_at')
      .whereNotIn('state', ['draft', 'cancelled'])
      .whereRaw('left(local_time, 7) = ?', [is.month])
      .count('* as count');
    const used = Number(row?.['count'] ?? 0);
    if (used >= most) throw beyondPlan('scheduledPosts', most, used);
  };
  const insert = async (trx: Knex, row: object): Promise<boolean> => {
    const added = await trx('posts').insert(row).onConflict('id').ignore().returning('id');
    return added.length > 0;
  };
  const mine = async (on: Knex, userId: UserId, id: string): Promise<ShownPost> =>
    one(await findPosts(on, userId, [id]));

  return {
    add: (userId: UserId, id: string, draft: Draft, mostScheduled = Infinity): Promise<ShownPost> =>
      change(async (trx) => {
        await mustHaveRoom(trx, userId);
        const is = scheduledBy(id, draft);
        await mustBeWithinPlan(trx, userId, id, is, mostScheduled);
        if (await insert(trx, { id, user_id: userId, state: 'draft', ...write(draft) })) {
          await addDeliveries(trx, userId, id, draft);
          await recount(trx, userId, undefined, is);
          await settlePosts(trx, [id]);
        }
        return await mine(trx, userId, id);
      }),

    duplicate: (userId: UserId, id: string, draftId: string): Promise<ShownPost> =>
      change(async (trx) => {
        const { text, texts, media, wanted, deliveries } = await mine(trx, userId, id);
        await mustHaveRoom(trx, userId);
        const connectionIds = [
          ...wanted.map((connection) => connection.id),
          ...deliveries.flatMap(({ connectionId }) => connectionId ?? []),
        ];
        const draft: Draft = { text, texts, media, connectionIds, draft: true };
        if (await insert(trx, { id: draftId, user_id: userId, state: 'draft', ...write(draft) })) {
          await settlePosts(trx, [draftId]);
        }
        return await mine(trx, userId, draftId);
      }),

    /** @throws AppError post_begun where publishing was faster */
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
          .update({ ...write(draft), version: trx.raw('version + 1') });
        await release(trx, userId, media);
        await addDeliveries(trx, userId, id, draft);
        await settlePosts(trx, [id]);
        return await mine(trx, userId, id);
      }),

    /**
     * Takes back what has not begun, or waits for another attempt; what is out stays out.
     *
     * @throws AppError post_begun where there is nothing to take back
     */
    cancel: (userId: UserId, id: string): Promise<ShownPost> =>
      change(async (trx) => {
        const { counted } = await hold(trx, userId, id);
        const waiting = await trx<DeliveryRow>('deliveries')
          .where({ post_id: id, state: 'waiting' })
          .update({ state: 'cancelled' }, ['id']);
        if (waiting.length === 0) throw begun();
        for (const { id: job } of waiting) await jobs.cancel(trx, publishing, job);
        await settlePosts(trx, [id]);
        const post = await mine(trx, userId, id);
        // One that is out somewhere stays counted.
        await recount(trx, userId, counted, scheduledOf(post));
        return post;
      }),

    /** Tries again what failed; what is out stays as it is. */
    retry: (userId: UserId, id: string): Promise<ShownPost> =>
      change(async (trx) => {
        await hold(trx, userId, id);
        const failed = await trx<DeliveryRow>('deliveries').where({ post_id: id, state: 'failed' });
        for (const { id: deliveryId } of failed) await begin(trx, deliveryId);
        await settlePosts(trx, [id]);
        return await mine(trx, userId, id);
      }),

    /** A person has looked: it went out, or it did not and is to be sent. */
    resolve: (userId: UserId, id: string, deliveryId: string, wentOut: boolean, now: Date): Promise<ShownPost> =>
      change(async (trx) => {
        await hold(trx, userId, id);
        const where = { id: deliveryId, post_id: id, state: 'needs_review' };
        if (wentOut)
          await trx('deliveries').where(where).update({ state: 'published', reason: null, published_at: now });
        else if (await trx('deliveries').where(where).first('id')) await begin(trx, deliveryId);
        await settlePosts(trx, [id]);
        return await mine(trx, userId, id);
      }),

    remove: (userId: UserId, id: string): Promise<void> =>
      change(async (trx) => {
        const { media, state, counted } = await hold(trx, userId, id);
        if (await trx<DeliveryRow>('deliveries').where({ post_id: id, state: 'publishing' }).first('id')) {
          throw failSocial('conflict', 'post_begun', 'This post is being published.');
        }
        await cancelJobs(trx, id);
        await trx('posts').where({ id }).delete();
        if (state === 'scheduled') await recount(trx, userId, counted, undefined);
        await release(trx, userId, media);
        await tell(trx, { userId, frame: { type: 'social_post_changed', data: { postId: id, state: null } } });
      }),

    get: async (userId: UserId, id: string): Promise<ShownPost | undefined> => (await findPosts(db, userId, [id]))[0],

    list: (userId: UserId, page: PostPage): Promise<ShownPost[]> => listPosts(db, userId, page),

    async count(userId: UserId): Promise<StateCounts> {
      const rows = (await db('posts')
        .where({ user_id: userId })
        .groupBy('state')
        .select('state')
        .count('* as count')) as {
        state: PostState;
        count: string;
      }[];
      return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
    },

    async listNamed(fileIds: readonly FileId[]): Promise<FileId[]> {
      const { rows } = await db.raw<{ rows: { id: FileId }[] }>(
        `select file.id from unnest(?::text[]) as file (id)
         where exists (select from posts where media @> jsonb_build_array(jsonb_build_object('fileId', file.id)))`,
        [[...fileIds]],
      );
      return rows.map(({ id }) => id);
    },
  };

  /** From the start, as if nothing had been sent. */
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
    await jobs.add(trx, publishing, { deliveryId }, { id: deliveryId });
  }
}

const begun = () => failSocial('conflict', 'post_begun', 'This post is being published or is out already.');

const postNotFound = () => failSocial('not_found', 'post_not_found', 'There is no such post.');

function one(posts: readonly ShownPost[]): ShownPost {
  const [post] = posts;
  if (!post) throw postNotFound();
  return post;
}

/** In the transaction in which a post names them no longer. */
async function release(trx: Knex, userId: UserId, media: readonly MediaReference[]): Promise<void> {
  if (media.length === 0) return;
  const payload = { fileIds: media.map(({ fileId }) => fileId) };
  await appendEvents(trx, { subject: filesReleased, key: userId, payload });
}
