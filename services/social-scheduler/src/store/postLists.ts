import type { Knex } from '@nolo/kit/db';
import type { FileId, UserId } from '@nolo/kit/ids';
import type { PostState } from '../domain/ports.ts';
import type { PostListQuery, PostStore, ShownPost, PostCountsByState } from '../domain/posts.ts';
import { findShownPosts, listShownPosts } from './shownPosts.ts';

/** Lists and counts posts. */
export function createPostListStore(db: Knex): Pick<PostStore, 'get' | 'list' | 'count' | 'listNamed' | 'waitingOf'> {
  return {
    get: async (userId: UserId, id: string): Promise<ShownPost | undefined> =>
      (await findShownPosts(db, userId, [id]))[0],

    list: (userId: UserId, page: PostListQuery): Promise<ShownPost[]> => listShownPosts(db, userId, page),

    async count(userId: UserId): Promise<PostCountsByState> {
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

    waitingOf: (userId: UserId): Promise<string[]> =>
      db('posts')
        .where({ user_id: userId })
        .whereIn('id', db('deliveries').where({ state: 'waiting' }).select('post_id'))
        .pluck('id'),

    async listNamed(fileIds: readonly FileId[]): Promise<FileId[]> {
      const { rows } = await db.raw<{ rows: { id: FileId }[] }>(
        `select file.id from unnest(?::text[]) as file (id)
         where exists (select from posts where media @> jsonb_build_array(jsonb_build_object('fileId', file.id)))`,
        [[...fileIds]],
      );
      return rows.map(({ id }) => id);
    },
  };
}
