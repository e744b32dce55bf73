import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { Claim, Delivery, DeliveryState, DeliveryStore, MediaReference, PostState } from '../domain/ports.ts';
import type { PlatformId } from '../domain/platform.ts';
import { tell } from './telling.ts';

interface Row {
  id: string;
  post_id: string;
  user_id: UserId;
  platform: PlatformId;
  connection_id: string | null;
  text: string;
  texts: Partial<Record<PlatformId, string>>;
  media: MediaReference[];
  state: DeliveryState;
  attempts: number;
  due_at: Date | null;
  since: Date;
  kept: string | null;
  committed_at: Date | null;
  committed_for_ms: number | null;
}

/** @param wake called after a commit that wrote frames. */
export function createDeliveryStore(db: Knex, wake: () => void = () => undefined): DeliveryStore<Knex> {
  /** The row of an attempt, while that is the last one. */
  const own = async (trx: Knex, { id, attempts }: Claim, change: object): Promise<string> => {
    const [row] = await trx('deliveries').where({ id, attempts, state: 'publishing' }).update(change, ['post_id']);
    if (!row) throw new Error('Another attempt has begun.');
    return (row as { post_id: string }).post_id;
  };

  return {
    async claim(id) {
      const claimed = await inTransaction(db, async (trx) => {
        await lockPostOf(trx, id);
        const changed = await trx('deliveries')
          .where({ id })
          .whereIn('state', ['waiting', 'publishing'])
          .update({
            state: 'publishing',
            attempts: trx.raw('attempts + 1'),
            since: trx.raw('coalesce(since, clock_timestamp())'),
            retry_at: null,
          });
        if (changed === 0) return undefined;
        const row: Row | undefined = await trx('deliveries')
          .join('posts', 'posts.id', 'deliveries.post_id')
          .where('deliveries.id', id)
          .first(
            'deliveries.*',
            trx.raw('extract(epoch from clock_timestamp() - committed_at)::float8 * 1000 as committed_for_ms'),
            'posts.user_id',
            'posts.text',
            'posts.texts',
            'posts.media',
          );
        if (!row) return undefined;
        await settlePost(trx, row.post_id);
        return deliveryOf(row);
      });
      wake();
      return claimed;
    },
    async keep(delivery, what) {
      await own(db, delivery, { kept: what });
    },
    async commit(delivery) {
      await own(db, delivery, { committed_at: db.raw('clock_timestamp()') });
    },
    async postpone(delivery, { reason, retryAt, committed }) {
      // What is certain not to be out may be taken back while it waits; what may be out is the worker's to look up.
      const change = committed ? {} : { committed_at: null, state: 'waiting' };
      await inTransaction(db, async (trx) => {
        await lockPostOf(trx, delivery.id);
        await settlePost(trx, await own(trx, delivery, { ...change, reason, retry_at: retryAt }));
      });
      wake();
    },
    async settle(delivery, outcome, finish) {
      await inTransaction(db, async (trx) => {
        await lockPostOf(trx, delivery.id);
        const change =
          outcome.state === 'published'
            ? {
                reason: null,
                remote_id: outcome.post.id,
                address: outcome.post.address ?? null,
                published_at: trx.raw('clock_timestamp()'),
              }
            : { reason: outcome.reason };
        const postId = await own(trx, delivery, { ...change, state: outcome.state, retry_at: null });
        await settlePost(trx, postId);
        await finish(trx);
      });
      wake();
    },
    countInReview: () =>
      db('deliveries')
        .where({ state: 'needs_review' })
        .groupBy('platform')
        .select<{ platform: PlatformId; count: number }[]>('platform', db.raw('count(*)::int as count')),
  };
}

/** Whoever changes deliveries of a post holds the post: editing, cancelling and publishing follow one another. */
async function lockPostOf(trx: Knex, deliveryId: string): Promise<void> {
  await trx('posts')
    .whereIn('id', trx('deliveries').where({ id: deliveryId }).select('post_id'))
    .forUpdate()
    .select('id');
}

/** The state of a post follows from its deliveries; what needs a person stands before all else. Its person is told. */
export async function settlePost(trx: Knex, postId: string): Promise<void> {
  const { rows } = await trx.raw<{ rows: { user_id: UserId; state: PostState }[] }>(
    `update posts set updated_at = now(), state = (
       select case
         when count(*) = 0 then 'draft'
         when bool_or(state = 'publishing') or (bool_or(state = 'waiting') and bool_or(attempts > 0)) then 'publishing'
         when bool_or(state = 'waiting') then 'scheduled'
         when bool_or(state = 'needs_review') then 'needs_review'
         when bool_or(state = 'failed') then 'failed'
         when bool_or(state = 'published') then 'published'
         else 'cancelled' end
       from deliveries where post_id = posts.id)
     where id = ? returning user_id, state`,
    [postId],
  );
  const [post] = rows;
  if (!post) return;
  await tell(trx, post.user_id, { type: 'social_post_changed', data: { postId, state: post.state } });
}

function deliveryOf(row: Row): Delivery {
  return {
    id: row.id,
    postId: row.post_id,
    userId: row.user_id,
    platform: row.platform,
    connectionId: row.connection_id,
    text: row.texts[row.platform] ?? row.text,
    media: row.media,
    attempts: row.attempts,
    dueAt: row.due_at,
    since: row.since,
    kept: row.kept,
    committedForMs: row.committed_for_ms,
  };
}
