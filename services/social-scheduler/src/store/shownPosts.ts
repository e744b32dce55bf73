import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { DeliveryState, MediaReference, PostState } from '../domain/ports.ts';
import type { PostListQuery, ShownPost, PostDestination } from '../domain/posts.ts';
import type { PlatformId } from '../domain/platform.ts';

export interface PostRow {
  id: string;
  user_id: UserId;
  text: string;
  texts: Partial<Record<PlatformId, string>>;
  media: MediaReference[];
  scheduled_at: Date | null;
  local_time: string | null;
  time_zone: string | null;
  wanted: string[];
  state: PostState;
  version: number;
  created_at: Date;
}

export interface PostDeliveryRow {
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

export async function findShownPosts(on: Knex, userId: UserId, ids: readonly string[]): Promise<ShownPost[]> {
  const rows = await on<PostRow>('posts').where({ user_id: userId }).whereIn('id', ids);
  const deliveries = await on<PostDeliveryRow>('deliveries')
    .whereIn(
      'post_id',
      rows.map(({ id }) => id),
    )
    .orderBy(['account_name', 'id']);
  const wantedIds = rows.flatMap(({ wanted }) => wanted);
  const wanted: PostDestination[] =
    wantedIds.length === 0
      ? []
      : await on('connections').where({ user_id: userId }).whereIn('id', wantedIds).select('id', 'platform', 'name');
  const shown = rows.map((row) =>
    shownPost(row, {
      deliveries: deliveries.filter(({ post_id }) => post_id === row.id),
      wanted: wanted.filter(({ id }) => row.wanted.includes(id)),
    }),
  );
  return ids.flatMap((id) => shown.find((post) => post.id === id) ?? []);
}

/** Time of publication, past or future. */
const timeOf = 'coalesce(scheduled_at, created_at)';

export async function listShownPosts(
  db: Knex,
  userId: UserId,
  { limit, before, states, from, to }: PostListQuery,
): Promise<ShownPost[]> {
  const rows: Pick<PostRow, 'id'>[] = await db('posts')
    .where({ user_id: userId })
    .modify((chosen) => {
      if (states) void chosen.whereIn('state', states);
      if (from) void chosen.whereRaw(`${timeOf} >= ?`, [from]);
      if (to) void chosen.whereRaw(`${timeOf} < ?`, [to]);
      if (before) void chosen.whereRaw('(created_at, id) < (?, ?)', [before.at, before.id]);
    })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit)
    .select('id');
  return await findShownPosts(
    db,
    userId,
    rows.map(({ id }) => id),
  );
}

function shownPost(
  row: PostRow,
  { deliveries, wanted }: { deliveries: readonly PostDeliveryRow[]; wanted: readonly PostDestination[] },
): ShownPost {
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
    wanted,
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
