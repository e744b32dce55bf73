import { inTransaction, type Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import { batchCalls } from '@nolo/kit/batchCalls';
import type { UserId } from '@nolo/kit/ids';
import type {
  DeliveryClaim,
  PostDelivery,
  DeliveryState,
  DeliveryStore,
  MediaReference,
  DeliveryOutcome,
  PostState,
} from '../domain/ports.ts';
import type { PlatformId } from '../domain/platform.ts';
import { enqueueFrames } from './enqueueFrames.ts';

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

/** Maximum deliveries per statement. Deliveries that are due together are claimed, sent, and settled together. */
const maxDeliveriesPerStatement = 500;

/** @param wake called after a commit that wrote frames */
export function createDeliveryStore(db: Knex, wake: () => void = () => undefined): DeliveryStore<Knex> {
  /** Updates the row of an attempt if it is still the latest. */
  const own = async (trx: Knex, claim: DeliveryClaim, change: object): Promise<string> => {
    const { id, attempts } = claim;
    const [row] = await trx('deliveries').where({ id, attempts, state: 'publishing' }).update(change, ['post_id']);
    if (!row) throw takenOver();
    return (row as { post_id: string }).post_id;
  };

  const claim = batchCalls(async (ids: string[]) => {
    const claimed = await inTransaction(db, (trx) => claimAll(trx, ids));
    wake();
    return ids.map((id) => claimed.get(id));
  }, maxDeliveriesPerStatement);

  const commit = batchCalls(async (claims: DeliveryClaim[]) => {
    const committed = new Set(await commitAll(db, claims));
    return claims.map(({ id }) => committed.has(id));
  }, maxDeliveriesPerStatement);

  const settleTogether = (ends: readonly End[]) => inTransaction(db, (trx) => settleAll(trx, ends));
  const settle = batchCalls(async (ends: End[]) => {
    // If one delivery has been taken over from its worker, the others are settled anyway.
    const settled = await settleTogether(ends).then(
      () => ends.map(() => undefined),
      async () => {
        const alone = await Promise.allSettled(ends.map((end) => settleTogether([end])));
        return alone.map((one) => (one.status === 'rejected' ? { reason: one.reason as unknown } : undefined));
      },
    );
    wake();
    return settled;
  }, maxDeliveriesPerStatement);

  return {
    claim,
    async keep(delivery, what) {
      await own(db, delivery, { kept: what });
    },
    async commit(delivery) {
      if (!(await commit(delivery))) throw takenOver();
    },
    async postpone(delivery, { reason, retryAt, committed }) {
      // A post that is certainly not public can be canceled while it waits; the worker must check one that may be.
      const change = committed ? {} : { committed_at: null, state: 'waiting' };
      await inTransaction(db, async (trx) => {
        await lockPostsOf(trx, [delivery.id]);
        await updatePostStates(trx, [await own(trx, delivery, { ...change, reason, retry_at: retryAt })]);
      });
      wake();
    },
    async settle(delivery, outcome, finish) {
      const failed = await settle({ ...delivery, outcome, finish });
      if (failed) throw failed.reason;
    },
    countInReview: () =>
      db('deliveries')
        .where({ state: 'needs_review' })
        .groupBy('platform')
        .select<{ platform: PlatformId; count: number }[]>('platform', db.raw('count(*)::int as count')),
  };
}

const takenOver = () => new Error('Another attempt has started.');

/** Outcome of a delivery and its job. */
interface End extends DeliveryClaim {
  readonly outcome: DeliveryOutcome;
  readonly finish: (trx: Knex) => Promise<void>;
}

async function claimAll(trx: Knex, ids: readonly string[]): Promise<Map<string, PostDelivery>> {
  await lockPostsOf(trx, ids);
  await trx.raw(
    `update deliveries set state = 'publishing', attempts = attempts + 1, since = coalesce(since, clock_timestamp()),
       retry_at = null
     where id = any(?::uuid[]) and state in ('waiting', 'publishing')`,
    [[...ids]],
  );
  const { rows } = await trx.raw<{ rows: Row[] }>(
    `select deliveries.*, extract(epoch from clock_timestamp() - committed_at)::float8 * 1000 as committed_for_ms,
       posts.user_id, posts.text, posts.texts, posts.media
     from deliveries join posts on posts.id = deliveries.post_id
     where deliveries.id = any(?::uuid[]) and deliveries.state = 'publishing'`,
    [[...ids]],
  );
  await updatePostStates(
    trx,
    rows.map((row) => row.post_id),
  );
  return new Map(rows.map((row) => [row.id, deliveryOf(row)]));
}

/** Returns the deliveries for which this is the latest attempt. */
async function commitAll(db: Knex, claims: readonly DeliveryClaim[]): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `with mine as materialized (
       select deliveries.id from deliveries
       join jsonb_to_recordset(?::jsonb) as claim(id uuid, attempts int)
         on claim.id = deliveries.id and claim.attempts = deliveries.attempts
       where state = 'publishing' order by deliveries.id for update of deliveries
     )
     update deliveries set committed_at = clock_timestamp() from mine where deliveries.id = mine.id
     returning deliveries.id`,
    [JSON.stringify(claims.map(({ id, attempts }) => ({ id, attempts })))],
  );
  return rows.map(({ id }) => id);
}

/** Settles all of them or none. */
async function settleAll(trx: Knex, ends: readonly End[]): Promise<void> {
  await lockPostsOf(
    trx,
    ends.map(({ id }) => id),
  );
  const changes = ends.map(({ id, attempts, outcome }) => ({
    id,
    attempts,
    state: outcome.state,
    ...(outcome.state === 'published'
      ? { remote: outcome.post.id, address: outcome.post.address }
      : { reason: outcome.reason }),
  }));
  const { rows } = await trx.raw<{ rows: { post_id: string }[] }>(
    `update deliveries set state = change.state, reason = change.reason, retry_at = null,
       remote_id = coalesce(change.remote, remote_id), address = coalesce(change.address, deliveries.address),
       published_at = case when change.state = 'published' then clock_timestamp() else published_at end
     from jsonb_to_recordset(?::jsonb) as change(id uuid, attempts int, state text, reason text, remote text, address text)
     where deliveries.id = change.id and deliveries.attempts = change.attempts and deliveries.state = 'publishing'
     returning post_id`,
    [JSON.stringify(changes)],
  );
  if (rows.length !== ends.length) throw takenOver();
  await updatePostStates(
    trx,
    rows.map((row) => row.post_id),
  );
  await Promise.all(ends.map(({ finish }) => finish(trx)));
}

/**
 * Locks the posts of deliveries, so that editing, canceling, and publishing run one after another. Several posts are
 * locked in a fixed order.
 */
async function lockPostsOf(trx: Knex, deliveryIds: readonly string[]): Promise<void> {
  await trx.raw(
    `select id from posts where id in (select post_id from deliveries where id = any(?::uuid[])) order by id for update`,
    [[...deliveryIds]],
  );
}

/** Event for the final state of a post: published, failed, or needs_review. */
const postSettled = 'event.social.post_settled';
const settledStates: ReadonlySet<PostState> = new Set(['published', 'failed', 'needs_review']);

/**
 * Derives the state of posts from their deliveries and notifies their owner. A delivery that needs review takes
 * precedence.
 */
export async function updatePostStates(trx: Knex, postIds: readonly string[]): Promise<void> {
  const { rows } = await trx.raw<{ rows: { id: string; user_id: UserId; was: PostState; state: PostState }[] }>(
    `with before as materialized (
       select id, state as was from posts where id = any(?::uuid[]) order by id for update
     )
     update posts set updated_at = now(), state = (
       select case
         when count(*) = 0 then 'draft'
         when bool_or(state = 'publishing') or (bool_or(state = 'waiting') and bool_or(attempts > 0)) then 'publishing'
         when bool_or(state = 'waiting') then 'scheduled'
         when bool_or(state = 'needs_review') then 'needs_review'
         when bool_or(state = 'failed') then 'failed'
         when bool_or(state = 'published') then 'published'
         else 'cancelled' end
       from deliveries where post_id = posts.id)
     from before where posts.id = before.id returning posts.id, user_id, was, state`,
    [[...new Set(postIds)]],
  );
  const changed = rows.map(({ id, user_id, state }) => ({
    userId: user_id,
    frame: { type: 'social_post_changed' as const, data: { postId: id, state } },
  }));
  await enqueueFrames(trx, ...changed);
  const settled = rows.filter(({ was, state }) => was !== state && settledStates.has(state));
  await appendEvents(
    trx,
    ...settled.map(({ id: postId, user_id: userId, state }) => ({
      subject: postSettled,
      key: postId,
      payload: { postId, userId, state },
    })),
  );
}

function deliveryOf(row: Row): PostDelivery {
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
