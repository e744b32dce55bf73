import { limits, socialPostStates } from '@nolo/rules';
import * as z from 'zod/mini';
import { count, cursor, idParams } from './parameters.ts';
import { route } from './route.ts';
import * as s from './schemas.ts';
import * as so from './socialSchemas.ts';

const tagged = { access: 'session', tag: 'social' } as const;
const platformParams = z.object({ platform: so.socialPlatformId });
const known = ['social_unavailable', 'platform_unknown'] as const;

/** What may be wrong with a post, whichever way it is written. */
const written = [
  'social_unavailable',
  'post_empty',
  'post_too_long',
  'post_media_invalid',
  'file_not_found',
  'platform_required',
  'platform_not_connected',
  'connection_not_found',
  'time_zone_unknown',
  'time_invalid',
  'time_past',
  'too_many_posts',
  'plan_limit',
] as const;
const atPost = ['social_unavailable', 'post_not_found'] as const;

/** Social platforms (spec section 7), where the operator has set the service up (`features.social`). */
export const socialRoutes = {
  listSocialPlatforms: route({
    ...tagged,
    method: 'GET',
    path: '/api/social/platforms',
    summary: 'The platforms in the order in which they are shown: what is connected, and what each allows',
    reply: z.array(so.socialPlatform),
    errors: ['social_unavailable'],
  }),
  connectSocialPlatform: route({
    ...tagged,
    method: 'POST',
    path: '/api/social/connect/{platform}',
    summary:
      'Connect an account. `authUrl` is to be opened in a window, which ends at `/social-connected?platform=&outcome=` of this site; null where the account is connected already, as by name and app password',
    params: platformParams,
    body: z.optional(
      z.object({
        /** Of `server`: origin of one that is allowed; the first of them unless given. */
        server: z.optional(z.string().check(z.maxLength(300))),
        /** Of `password`: the name there, such as example.bsky.social, and a password that was made for this app. */
        handle: z.optional(z.string().check(z.maxLength(300))),
        appPassword: z.optional(z.string().check(z.maxLength(300))),
      }),
    ),
    reply: z.object({ authUrl: z.nullable(z.string()) }),
    limit: 'socialConnectsPerUser',
    errors: [...known, 'platform_refused', 'connection_failed', 'too_many_connections', 'plan_limit'],
  }),
  finishSocialConnection: route({
    ...tagged,
    method: 'GET',
    path: '/api/social/callback/{platform}',
    status: 302,
    summary: 'Where a platform sends the window back to; it goes on to `/social-connected`',
    params: platformParams,
    query: z.record(z.string(), z.unknown()),
    limit: 'socialConnectsPerUser',
    errors: [...known, 'connection_failed', 'too_many_connections', 'plan_limit'],
  }),
  chooseSocialAccounts: route({
    ...tagged,
    method: 'PUT',
    path: '/api/social/platforms/{platform}/accounts',
    summary:
      'Choose which of the connected accounts (the pages of Facebook, the organisations of LinkedIn) posts to the platform go to; answers with all of them',
    params: platformParams,
    body: z.object({ accountIds: z.array(s.id).check(z.maxLength(limits.socialAccountsPerPost)) }),
    reply: z.array(so.socialAccount),
    limit: 'socialChangesPerUser',
    errors: [...known, 'connection_not_found'],
  }),
  disconnectSocialPlatform: route({
    ...tagged,
    method: 'DELETE',
    path: '/api/social/disconnect/{platform}',
    status: 204,
    summary: 'Disconnect a platform, or one account of it, there too; posts that wait for it fail at their time',
    params: platformParams,
    query: z.object({ accountId: z.optional(s.id) }),
    limit: 'socialConnectsPerUser',
    errors: known,
  }),
  multipost: route({
    ...tagged,
    method: 'POST',
    path: '/api/social/multipost',
    summary:
      'Post at once, with files in the same request: the fields `text`, `platforms` (a JSON list), `image_0` and so on or `video`; besides them `texts`, `accountIds`, `altTexts` (JSON) and `clientPostId`. Answers once it is out, or after 10 seconds as it is then',
    bodyType: 'multipart/form-data',
    fileField: 'image_0',
    reply: z.array(so.socialResult),
    limit: 'socialPostsPerUserDay',
    errors: [...written, 'form_invalid', 'upload_incomplete', 'file_too_large', 'file_not_image', 'storage_full_plan'],
  }),
  listSocialPosts: route({
    ...tagged,
    method: 'GET',
    path: '/api/social/posts',
    summary:
      "One's own posts, newest first, 20 unless `limit` says otherwise; `from` and `to` are of the time at which they go out, or went out",
    query: z.object({
      cursor: z.optional(cursor),
      limit: z.optional(count(limits.socialPostsPerPage)),
      state: z.optional(z.enum(socialPostStates)),
      from: z.optional(s.time),
      to: z.optional(s.time),
    }),
    reply: z.array(so.socialPost),
    errors: ['social_unavailable', 'cursor_invalid'],
  }),
  countSocialPosts: route({
    ...tagged,
    method: 'GET',
    path: '/api/social/counts',
    summary:
      "How many of one's posts are scheduled or on their way, are published, failed or wait for a look, and how many there are but for drafts",
    reply: so.socialCounts,
    errors: ['social_unavailable'],
  }),
  schedulePost: route({
    ...tagged,
    method: 'POST',
    path: '/api/social/schedule',
    status: 201,
    summary: 'Schedule a post',
    body: so.newSocialSchedule,
    reply: z.object({ scheduleId: s.id, post: so.socialPost }),
    limit: 'socialPostsPerUserDay',
    errors: written,
  }),
  sharePost: route({
    ...tagged,
    method: 'POST',
    path: '/api/social/post',
    status: 201,
    summary: 'Post at once, or at its time. Answers once it is out, or after 10 seconds as it is then',
    body: so.newSharedPost,
    reply: so.socialPost,
    limit: 'socialPostsPerUserDay',
    errors: written,
  }),
  shareMeeting: route({
    ...tagged,
    method: 'POST',
    path: '/api/social/share-meeting',
    status: 201,
    summary: 'Share the link of a meeting or a group, at once or at its time; answers as a post does',
    body: so.newSharedMeeting,
    reply: so.socialPost,
    limit: 'socialPostsPerUserDay',
    errors: [...written, 'link_invalid'],
  }),
  createSocialPost: route({
    ...tagged,
    method: 'POST',
    path: '/api/social/posts',
    status: 201,
    summary: 'Keep a draft, schedule a post or post at once, as it says; answers at once',
    body: so.newSocialPost,
    reply: so.socialPost,
    limit: 'socialPostsPerUserDay',
    errors: written,
  }),
  getSocialPost: route({
    ...tagged,
    method: 'GET',
    path: '/api/social/posts/{id}',
    summary: "One of one's own posts",
    params: idParams,
    reply: so.socialPost,
    errors: atPost,
  }),
  editSocialPost: route({
    ...tagged,
    method: 'PUT',
    path: '/api/social/posts/{id}',
    summary: 'Write a post anew that has not begun to be published: its words, where it goes and when, draft or not',
    params: idParams,
    body: z.omit(so.newSocialPost, { clientPostId: true }),
    reply: so.socialPost,
    limit: 'socialChangesPerUser',
    errors: [...written, 'post_not_found', 'post_begun'],
  }),
  deleteSocialPost: route({
    ...tagged,
    method: 'DELETE',
    path: '/api/social/posts/{id}',
    status: 204,
    summary: 'Forget a post; what is out at a platform stays there',
    params: idParams,
    limit: 'socialChangesPerUser',
    errors: [...atPost, 'post_begun'],
  }),
  cancelSocialPost: route({
    ...tagged,
    method: 'POST',
    path: '/api/social/posts/{id}/cancel',
    summary: 'Take a post back that waits',
    params: idParams,
    reply: so.socialPost,
    limit: 'socialChangesPerUser',
    errors: [...atPost, 'post_begun'],
  }),
  retrySocialPost: route({
    ...tagged,
    method: 'POST',
    path: '/api/social/posts/{id}/retry',
    summary: 'Try again where it failed',
    params: idParams,
    reply: so.socialPost,
    limit: 'socialChangesPerUser',
    errors: [...atPost, 'plan_limit'],
  }),
  duplicateSocialPost: route({
    ...tagged,
    method: 'POST',
    path: '/api/social/posts/{id}/duplicate',
    status: 201,
    summary: 'The same as a draft, without its time',
    params: idParams,
    body: z.optional(z.object({ clientPostId: z.optional(s.id) })),
    reply: so.socialPost,
    limit: 'socialPostsPerUserDay',
    errors: [...atPost, 'too_many_posts'],
  }),
  reviewSocialPost: route({
    ...tagged,
    method: 'POST',
    path: '/api/social/posts/{id}/deliveries/{deliveryId}/verdict',
    summary:
      'Of a delivery that needs review: somebody has looked, and it went out (`wentOut`), or it did not and is sent',
    params: z.extend(idParams, { deliveryId: s.id }),
    body: z.object({ wentOut: z.boolean() }),
    reply: so.socialPost,
    limit: 'socialChangesPerUser',
    errors: atPost,
  }),
} as const;
