import { setTimeout as wait } from 'node:timers/promises';
import { parseId, parseActorId, type FileId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import { defineCursor, idCursorField, clampPageSize, timeCursorField } from '@nolo/kit/pages';
import { requireSwitchedOn } from '@nolo/installation/settings';
import type { PostRequest, SocialPost, SocialServiceDefinition } from '@nolo/proto/social';
import { socialLimits, socialPostStates } from '@nolo/rules';
import { createPlanLimitError, requirePostingAllowed } from '../domain/entitlements.ts';
import type { PostState } from '../domain/ports.ts';
import type { PostInput, ShownPost } from '../domain/posts.ts';
import { scheduledPostsFeature, computePostInputUsage, computePostUsage } from '../domain/scheduledPostUsage.ts';
import { createSocialError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { parsePostInput, parsePlatformTexts } from './parsePostInput.ts';
import { parseUuid } from './parse.ts';

const defaultPageSize = 20;
const maxFilesPerCall = 500;
/** Maximum time that a request waits for the platforms, and the polling interval. */
const awaitedMs = 10_000;
const pollIntervalMs = 200;

const isState = (name: string): name is PostState => socialPostStates.some((state) => state === name);
const postCursor = defineCursor<{ at: Date; id: string }>({ at: timeCursorField, id: idCursorField() });
const notFound = () => createSocialError('not_found', 'post_not_found', 'Post not found.');

type Posts = Pick<Dependencies, 'posts'>;
type Handler<Name extends keyof (typeof SocialServiceDefinition)['methods']> = RpcHandler<
  (typeof SocialServiceDefinition)['methods'][Name]
>;

async function mustGet({ posts }: Posts, userId: UserId, id: string): Promise<ShownPost> {
  const post = await posts.get(userId, id);
  if (!post) throw notFound();
  return post;
}

/** Creates a handler that changes one post and returns it. */
const toOne = (change: (userId: UserId, id: string) => Promise<ShownPost>) => async (request: PostRequest) =>
  shownPost(await change(parseActorId(request.actorId), parseUuid('post_id', request.postId)));

export function addPost(dependencies: Dependencies): Handler<'addPost'> {
  const { posts } = dependencies;
  return async (request) => {
    const userId = parseActorId(request.actorId);
    const id = parseUuid('post_id', request.postId);
    // If it was added before, its time may be past by now, and the first reply stands.
    const before = await posts.get(userId, id);
    if (before) return shownPost(before);
    requireSwitchedOn(dependencies.installation, 'social');
    const draft = await parsePostInput(dependencies, userId, request);
    return shownPost(
      await keepWithinPlan(dependencies)(userId, id, undefined, draft, (maxScheduledPosts) =>
        posts.add(userId, id, draft, maxScheduledPosts),
      ),
    );
  };
}

export function editPost(dependencies: Dependencies): Handler<'editPost'> {
  const { posts } = dependencies;
  return async (request) => {
    const userId = parseActorId(request.actorId);
    const before = await mustGet(dependencies, userId, parseUuid('post_id', request.postId));
    const { id } = before;
    const draft = await parsePostInput(dependencies, userId, request);
    return shownPost(
      await keepWithinPlan(dependencies)(userId, id, before, draft, (maxScheduledPosts) =>
        posts.edit(userId, id, draft, maxScheduledPosts),
      ),
    );
  };
}

export function cancelPost({ posts }: Posts): Handler<'cancelPost'> {
  return toOne((userId, id) => posts.cancel(userId, id));
}

export function retryPost({ posts }: Posts): Handler<'retryPost'> {
  return toOne((userId, id) => posts.retry(userId, id));
}

export function getPost(dependencies: Posts): Handler<'getPost'> {
  return toOne((userId, id) => mustGet(dependencies, userId, id));
}

export function awaitPost(dependencies: Posts): Handler<'awaitPost'> {
  return toOne(async (userId, id) => {
    const until = performance.now() + awaitedMs;
    let post = await mustGet(dependencies, userId, id);
    while (isOnItsWay(post) && performance.now() < until) {
      await wait(pollIntervalMs);
      post = await mustGet(dependencies, userId, id);
    }
    return post;
  });
}

export function duplicatePost({ posts }: Posts): Handler<'duplicatePost'> {
  return async (request) => {
    const userId = parseActorId(request.actorId);
    const draftId = parseUuid('draft_id', request.draftId);
    return shownPost(await posts.duplicate(userId, parseUuid('post_id', request.postId), draftId));
  };
}

export function deletePost({ posts }: Posts): Handler<'deletePost'> {
  return async (request) => {
    await posts.remove(parseActorId(request.actorId), parseUuid('post_id', request.postId));
    return {};
  };
}

export function resolveDelivery({ posts, clock }: Pick<Dependencies, 'posts' | 'clock'>): Handler<'resolveDelivery'> {
  return async (request) => {
    const userId = parseActorId(request.actorId);
    const id = parseUuid('post_id', request.postId);
    const deliveryId = parseUuid('delivery_id', request.deliveryId);
    return shownPost(await posts.resolve(userId, id, deliveryId, request.wentOut, clock.now()));
  };
}

export function listPosts({ posts }: Posts): Handler<'listPosts'> {
  return async (request) => {
    const userId = parseActorId(request.actorId);
    const chosen = request.states.filter(isState);
    const limit = clampPageSize(request.limit, defaultPageSize, socialLimits.socialPostsPerPage);
    const { from, to } = request;
    const page = {
      before: postCursor.read(request.cursor),
      states: chosen.length > 0 ? chosen : undefined,
      from,
      to,
    };
    const found = await posts.list(userId, { ...page, limit: limit + 1 });
    const last = found.length > limit ? found[limit - 1] : undefined;
    return {
      posts: found.slice(0, limit).map(shownPost),
      nextCursor: last && postCursor.write({ at: last.createdAt, id: last.id }),
    };
  };
}

export function countPosts({ posts }: Posts): Handler<'countPosts'> {
  return async (request) => {
    const counts = await posts.count(parseActorId(request.actorId));
    const { scheduled = 0, published = 0, failed = 0, needs_review: needsReview = 0 } = counts;
    const total = Object.values(counts).reduce((all, count) => all + count, 0);
    return { scheduled, published, failed, needsReview, total };
  };
}

export function exportPosts({ posts }: Posts): Handler<'exportPosts'> {
  return async function* (request) {
    const userId = parseActorId(request.actorId);
    let before: { at: Date; id: string } | undefined;
    do {
      const page = await posts.list(userId, { limit: socialLimits.socialPostsPerPage, before });
      yield* page.map(shownPost);
      const last = page.length === socialLimits.socialPostsPerPage ? page.at(-1) : undefined;
      before = last && { at: last.createdAt, id: last.id };
    } while (before);
  };
}

export function listPostFiles({ posts }: Posts): Handler<'listPostFiles'> {
  return async (request) => {
    if (request.fileIds.length > maxFilesPerCall) {
      throw createSocialError(
        'invalid',
        'invalid_request',
        `At most ${maxFilesPerCall} files can be requested at once.`,
      );
    }
    const ids = request.fileIds.map((id) => parseId<FileId>(id)).filter((id) => id !== undefined);
    return { fileIds: await posts.listNamed(ids) };
  };
}

/**
 * Stores a post if the plan permits it: a number of scheduled posts per month on a number of platforms. Billing is
 * asked first; if it is down, the store uses its own count. Editing a post requires no more than it already uses.
 */
function keepWithinPlan({ posts, connections, entitlementOf, meter }: Dependencies) {
  return async (
    userId: UserId,
    id: string,
    before: ShownPost | undefined,
    draft: PostInput,
    keep: (maxScheduledPosts: number) => Promise<ShownPost>,
  ): Promise<ShownPost> => {
    const entitlement = await entitlementOf(userId);
    if (draft.draft !== true && (before === undefined || before.state === 'draft')) {
      const mine = await connections.list(userId);
      const wanted = mine.filter((one) => draft.connectionIds.includes(one.id));
      const platformsOf = (some: typeof mine) => some.map(({ platform }) => platform);
      requirePostingAllowed(entitlement, platformsOf(mine), platformsOf(wanted));
    }
    const is = computePostInputUsage(id, draft);
    if (!is || is.useId === (before && computePostUsage(before)?.useId)) return await keep(Infinity);
    const use = { userId, feature: scheduledPostsFeature, id: is.useId };
    const reserved = await meter.reserve({ ...use, amount: 1, at: is.at });
    if (reserved.kind === 'full') throw createPlanLimitError('scheduledPosts', reserved.limit, reserved.used);
    try {
      return await keep(entitlement.scheduledPosts);
    } catch (error) {
      // A concurrent request may have stored this post.
      const now = await posts.get(userId, id).catch(() => undefined);
      if (!now || computePostUsage(now)?.useId !== is.useId) await meter.release(use);
      throw error;
    }
  };
}

/** Returns true if an attempt is in flight, or if the first one starts immediately. */
const isOnItsWay = ({ scheduledAt, deliveries }: ShownPost): boolean =>
  deliveries.some(
    ({ state, retryAt }) => state === 'publishing' || (state === 'waiting' && retryAt === null && scheduledAt === null),
  );

function shownPost(post: ShownPost): SocialPost {
  return {
    id: post.id,
    text: post.text,
    texts: parsePlatformTexts(post.texts),
    media: post.media.map(({ fileId, altText }) => ({ fileId, altText })),
    state: post.state,
    scheduledAt: post.scheduledAt ?? undefined,
    localTime: post.localTime ?? undefined,
    timeZone: post.timeZone ?? undefined,
    createdAt: post.createdAt,
    wanted: post.wanted.map(({ id, platform, name }) => ({ id, platform, name, expired: false, chosen: false })),
    deliveries: post.deliveries.map((delivery) => ({
      id: delivery.id,
      platform: delivery.platform,
      connectionId: delivery.connectionId ?? undefined,
      accountName: delivery.accountName,
      state: delivery.state,
      reason: delivery.reason ?? undefined,
      retryAt: delivery.retryAt ?? undefined,
      address: delivery.address ?? undefined,
      publishedAt: delivery.publishedAt ?? undefined,
    })),
  };
}
