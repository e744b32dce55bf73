import { type Knex, inTransaction } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import { socialLimits } from '@nolo/rules';
import type { UsageMeter } from '@nolo/installation/usage';
import type { MediaReference } from '../domain/ports.ts';
import type { PostInput, ShownPost } from '../domain/posts.ts';
import { computePostUsage, type ScheduledPostUsage } from '../domain/scheduledPostUsage.ts';
import { createSocialError } from '../errors.ts';
import { findShownPosts, type PostRow } from './shownPosts.ts';

/** Event for files: posts that used these files were deleted, but others may still use them. */
const filesReleased = 'event.social.files_released';

/** Locked post. */
export interface LockedPost extends Pick<PostRow, 'media'> {
  readonly counted: ScheduledPostUsage | undefined;
}

/** Changes posts in one transaction and publishes afterwards. */
export function createPostTransaction(db: Knex, wake: () => void, meter: UsageMeter) {
  return async <T>(work: (trx: Knex) => Promise<T>): Promise<T> => {
    const done = await inTransaction(db, work);
    wake();
    void meter.deliver();
    return done;
  };
}

/** Locks the post until the transaction ends, so that publishing cannot begin meanwhile. */
export const lockPost = async (trx: Knex, userId: UserId, id: string): Promise<LockedPost> => {
  const row = await trx<PostRow>('posts').where({ id, user_id: userId }).forUpdate().first();
  if (!row) throw postNotFound();
  const { media } = row;
  const counted = computePostUsage({
    id,
    state: row.state,
    scheduledAt: row.scheduled_at,
    localTime: row.local_time,
  });
  return { media, counted };
};

/** Returns the stored columns of a draft. */
export const toPostColumns = (draft: PostInput) => ({
  text: draft.text,
  texts: JSON.stringify(draft.texts),
  media: JSON.stringify(draft.media),
  scheduled_at: draft.time?.at ?? null,
  local_time: draft.time?.local ?? null,
  time_zone: draft.time?.zone ?? null,
  wanted: draft.draft === true ? [...draft.connectionIds] : [],
});

/** Serializes adding posts of one person, so the limit is exact. */
export const requireBelowPostLimit = async (trx: Knex, userId: UserId): Promise<void> => {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 1))', [userId]);
  const [row] = await trx('posts').where({ user_id: userId }).count('* as kept');
  if (Number(row?.['kept'] ?? 0) < socialLimits.socialPostsPerUser) return;
  throw createSocialError('conflict', 'too_many_posts', 'You have too many posts. Delete some of them first.', {
    limit: socialLimits.socialPostsPerUser,
  });
};

/** @returns true if it was new */
export const insertPost = async (trx: Knex, row: object): Promise<boolean> => {
  const added = await trx('posts').insert(row).onConflict('id').ignore().returning('id');
  return added.length > 0;
};
export const findPost = async (on: Knex, userId: UserId, id: string): Promise<ShownPost> =>
  one(await findShownPosts(on, userId, [id]));
export const createPostBegunError = () =>
  createSocialError('conflict', 'post_begun', 'This post is being published or has already been published.');

const postNotFound = () => createSocialError('not_found', 'post_not_found', 'Post not found.');

function one(posts: readonly ShownPost[]): ShownPost {
  const [post] = posts;
  if (!post) throw postNotFound();
  return post;
}

/** Releases files in the transaction that removes them from a post. */
export async function releaseMedia(trx: Knex, userId: UserId, media: readonly MediaReference[]): Promise<void> {
  if (media.length === 0) return;
  const payload = { fileIds: media.map(({ fileId }) => fileId) };
  await appendEvents(trx, { subject: filesReleased, key: userId, payload });
}
