import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import type { Jobs } from '@nolo/kit/jobs';
import type { DeliveryState, MediaReference, PostState } from '../domain/ports.ts';
import type { Draft, PostStore, ShownPost } from '../domain/posts.ts';
import { publishing } from '../domain/publishing.ts';
import { failSocial } from '../errors.ts';
import type { PlatformId } from '../domain/platform.ts';
import { settlePost } from './deliveryStore.ts';

interface PostRow {
  id: string;
  user_id: UserId;
  text: string;
  texts: Partial<Record<PlatformId, string>>;
  media: MediaReference[];
  scheduled_at: Date | null;
  local_time: string | null;
  time_zone: string | null;
  state: PostState;
  version: number;
  created_at: Date;
}

interface DeliveryRow {
  id: string;
  post_id: string;
  connection_id: string | null;
  platform: PlatformId;
  account_name: string;
  state: DeliveryState;
  reason: string | null;
  retry_at: Date | null;
  address: string | null;
  published_at: Date | null;
}

export function createPostStore(db: Knex, jobs: Jobs): PostStore {
  const find = async (on: Knex, userId: UserId, ids: readonly string[]): Promise<ShownPost[]> => {
    const rows = await on<PostRow>('posts').where({ user_id: userId }).whereIn('id', ids);
    const deliveries = await on<DeliveryRow>('deliveries')
      .whereIn(
        'post_id',
        rows.map(({ id }) => id),
      )
      .orderBy('account_name');
    const shown = rows.map((row) =>
      shownPost(
        row,
        deliveries.filter(({ post_id }) => post_id === row.id),
      ),
    );
    return ids.flatMap((id) => shown.find((post) => post.id === id) ?? []);
  };

  /** The post, held until the transaction ends, so that nothing begins meanwhile. */
  const hold = async (trx: Knex, userId: UserId, id: string): Promise<void> => {
    const row = await trx<PostRow>('posts').where({ id, user_id: userId }).forUpdate().first('id');
    if (!row) throw failSocial('not_found', 'post_not_found', 'There is no such post.');
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
    { connectionIds, time }: Draft,
  ): Promise<void> => {
    const connections = await trx<{ id: string; user_id: UserId; platform: PlatformId; name: string }>('connections')
      .where({ user_id: userId })
      .whereIn('id', connectionIds);
    if (connections.length !== connectionIds.length) {
      throw failSocial('not_found', 'connection_not_found', 'One of these accounts is not connected.');
    }
    const rows = connections.map(({ id, platform, name }) => ({
      id: newId(),
      post_id: postId,
      connection_id: id,
      platform,
      account_name: name,
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
  });

  return {
    /** Adding the same id again is adding it once. */
    add: (userId: UserId, id: string, draft: Draft): Promise<ShownPost> =>
      inTransaction(db, async (trx) => {
        const added = await trx('posts')
          .insert({ id, user_id: userId, state: 'draft', ...write(draft) })
          .onConflict('id')
          .ignore()
          .returning('id');
        if (added.length > 0) {
          await addDeliveries(trx, userId, id, draft);
          await settlePost(trx, id);
        }
        return one(await find(trx, userId, [id]));
      }),

    /** @throws AppError post_begun where publishing was faster */
    edit: (userId: UserId, id: string, draft: Draft): Promise<ShownPost> =>
      inTransaction(db, async (trx) => {
        await hold(trx, userId, id);
        await mustNotHaveBegun(trx, id);
        await cancelJobs(trx, id);
        await trx('deliveries').where({ post_id: id }).delete();
        await trx('posts')
          .where({ id })
          .update({ ...write(draft), version: trx.raw('version + 1') });
        await addDeliveries(trx, userId, id, draft);
        await settlePost(trx, id);
        return one(await find(trx, userId, [id]));
      }),

    /**
     * Takes back what has not begun, or waits for another attempt; what is out stays out.
     *
     * @throws AppError post_begun where there is nothing to take back
     */
    cancel: (userId: UserId, id: string): Promise<ShownPost> =>
      inTransaction(db, async (trx) => {
        await hold(trx, userId, id);
        const waiting = await trx<DeliveryRow>('deliveries')
          .where({ post_id: id, state: 'waiting' })
          .update({ state: 'cancelled' }, ['id']);
        if (waiting.length === 0) throw begun();
        for (const { id: job } of waiting) await jobs.cancel(trx, publishing, job);
        await settlePost(trx, id);
        return one(await find(trx, userId, [id]));
      }),

    /** Tries again what failed; what is out stays as it is. */
    retry: (userId: UserId, id: string): Promise<ShownPost> =>
      inTransaction(db, async (trx) => {
        await hold(trx, userId, id);
        const failed = await trx<DeliveryRow>('deliveries').where({ post_id: id, state: 'failed' });
        for (const { id: deliveryId } of failed) await begin(trx, deliveryId);
        await settlePost(trx, id);
        return one(await find(trx, userId, [id]));
      }),

    /** A person has looked: it went out, or it did not and is to be sent. */
    resolve: (userId: UserId, id: string, deliveryId: string, wentOut: boolean, now: Date): Promise<ShownPost> =>
      inTransaction(db, async (trx) => {
        await hold(trx, userId, id);
        const where = { id: deliveryId, post_id: id, state: 'needs_review' };
        if (wentOut)
          await trx('deliveries').where(where).update({ state: 'published', reason: null, published_at: now });
        else if (await trx('deliveries').where(where).first('id')) await begin(trx, deliveryId);
        await settlePost(trx, id);
        return one(await find(trx, userId, [id]));
      }),

    remove: (userId: UserId, id: string): Promise<void> =>
      inTransaction(db, async (trx) => {
        await hold(trx, userId, id);
        if (await trx<DeliveryRow>('deliveries').where({ post_id: id, state: 'publishing' }).first('id')) {
          throw failSocial('conflict', 'post_begun', 'This post is being published.');
        }
        await cancelJobs(trx, id);
        await trx('posts').where({ id }).delete();
      }),

    /** Newest first. */
    async list(
      userId: UserId,
      { limit, before, states }: { limit: number; before?: string; states?: readonly PostState[] },
    ): Promise<ShownPost[]> {
      const rows: Pick<PostRow, 'id'>[] = await db('posts')
        .where({ user_id: userId })
        .modify((chosen) => {
          if (states) void chosen.whereIn('state', states);
          if (before !== undefined) {
            void chosen.whereRaw('(created_at, id) < (select created_at, id from posts where id = ? and user_id = ?)', [
              before,
              userId,
            ]);
          }
        })
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit)
        .select('id');
      return await find(
        db,
        userId,
        rows.map(({ id }) => id),
      );
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
    };
    await trx('deliveries').where({ id: deliveryId }).update(fresh);
    await jobs.add(trx, publishing, { deliveryId }, { id: deliveryId });
  }
}

const begun = () => failSocial('conflict', 'post_begun', 'This post is being published or is out already.');

function one(posts: readonly ShownPost[]): ShownPost {
  const [post] = posts;
  if (!post) throw failSocial('not_found', 'post_not_found', 'There is no such post.');
  return post;
}

function shownPost(row: PostRow, deliveries: readonly DeliveryRow[]): ShownPost {
  return {
    id: row.id,
    text: row.text,
    texts: row.texts,
    media: row.media,
    scheduledAt: row.scheduled_at,
    localTime: row.local_time,
    timeZone: row.time_zone,
    state: row.state,
    version: row.version,
    createdAt: row.created_at,
    deliveries: deliveries.map((one) => ({
      id: one.id,
      platform: one.platform,
      connectionId: one.connection_id,
      accountName: one.account_name,
      state: one.state,
      reason: one.reason,
      retryAt: one.retry_at,
      address: one.address,
      publishedAt: one.published_at,
    })),
  };
}
