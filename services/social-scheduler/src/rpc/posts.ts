import { setTimeout as wait } from 'node:timers/promises';
import { parseId, actorFrom, type FileId, type UserId } from '@nolo/kit/ids';
import { defineCursor, idPart, pageSize, timePart } from '@nolo/kit/pages';
import type {
  AddPostRequest,
  CountPostsRequest,
  DeletePostReply,
  DuplicatePostRequest,
  ExportPostsRequest,
  ListPostFilesReply,
  ListPostFilesRequest,
  ListPostsReply,
  ListPostsRequest,
  PostCounts,
  PostRequest,
  ResolveDeliveryRequest,
  SocialPost,
} from '@nolo/proto/social';
import { socialLimits, socialPostStates } from '@nolo/rules';
import { mustAllowSchedule, type EntitlementOf } from '../domain/entitlements.ts';
import type { PostState } from '../domain/ports.ts';
import type { PostStore, ShownPost } from '../domain/posts.ts';
import { failSocial } from '../errors.ts';
import { readDraft, textsOf, type DraftDependencies } from './draft.ts';
import { parseUuid } from './parse.ts';

interface Dependencies extends DraftDependencies {
  posts: PostStore;
  entitlementOf: EntitlementOf;
}

const usualPage = 20;
const mostFiles = 500;
/** How long somebody waits for the platforms, and how often is looked. */
const awaitedMs = 10_000;
const lookEveryMs = 200;

const isState = (name: string): name is PostState => socialPostStates.some((state) => state === name);
const postCursor = defineCursor<{ at: Date; id: string }>({ at: timePart, id: idPart() });
const notFound = () => failSocial('not_found', 'post_not_found', 'There is no such post.');

export function postHandlers(dependencies: Dependencies) {
  const { posts, clock, entitlementOf } = dependencies;
  const one = (change: (userId: UserId, id: string) => Promise<ShownPost>) => async (request: PostRequest) =>
    shownPost(await change(actorFrom(request.actorId), parseUuid('post_id', request.postId)));
  const get = async (userId: UserId, id: string): Promise<ShownPost> => {
    const post = await posts.get(userId, id);
    if (!post) throw notFound();
    return post;
  };
  /** What was written, and may be by the plan. `scheduled` is whether the post counts against it already. */
  const readAllowed = async (userId: UserId, request: AddPostRequest, scheduled: boolean) => {
    const draft = await readDraft(dependencies, userId, request);
    if (!scheduled && !draft.draft && draft.time) {
      const counted = (since: Date) => posts.countScheduled(userId, since);
      await mustAllowSchedule(await entitlementOf(userId), clock.now(), counted);
    }
    return draft;
  };

  return {
    async addPost(request: AddPostRequest): Promise<SocialPost> {
      const userId = actorFrom(request.actorId);
      const id = parseUuid('post_id', request.postId);
      // Added before: its time may be over by now, and the first answer holds.
      const before = await posts.get(userId, id);
      return shownPost(before ?? (await posts.add(userId, id, await readAllowed(userId, request, false))));
    },
    async editPost(request: AddPostRequest): Promise<SocialPost> {
      const userId = actorFrom(request.actorId);
      const before = await get(userId, parseUuid('post_id', request.postId));
      const scheduled = before.state !== 'draft' && before.scheduledAt !== null;
      return shownPost(await posts.edit(userId, before.id, await readAllowed(userId, request, scheduled)));
    },
    cancelPost: one((userId, id) => posts.cancel(userId, id)),
    retryPost: one((userId, id) => posts.retry(userId, id)),
    getPost: one(get),
    awaitPost: one(async (userId, id) => {
      const until = performance.now() + awaitedMs;
      let post = await get(userId, id);
      while (isOnItsWay(post) && performance.now() < until) {
        await wait(lookEveryMs);
        post = await get(userId, id);
      }
      return post;
    }),
    async duplicatePost(request: DuplicatePostRequest): Promise<SocialPost> {
      const userId = actorFrom(request.actorId);
      const draftId = parseUuid('draft_id', request.draftId);
      return shownPost(await posts.duplicate(userId, parseUuid('post_id', request.postId), draftId));
    },
    async deletePost(request: PostRequest): Promise<DeletePostReply> {
      await posts.remove(actorFrom(request.actorId), parseUuid('post_id', request.postId));
      return {};
    },
    async resolveDelivery(request: ResolveDeliveryRequest): Promise<SocialPost> {
      const userId = actorFrom(request.actorId);
      const id = parseUuid('post_id', request.postId);
      const deliveryId = parseUuid('delivery_id', request.deliveryId);
      return shownPost(await posts.resolve(userId, id, deliveryId, request.wentOut, clock.now()));
    },
    async listPosts(request: ListPostsRequest): Promise<ListPostsReply> {
      const userId = actorFrom(request.actorId);
      const chosen = request.states.filter(isState);
      const limit = pageSize(request.limit, usualPage, socialLimits.socialPostsPerPage);
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
        nextCursor: last ? postCursor.write({ at: last.createdAt, id: last.id }) : '',
      };
    },
    async countPosts(request: CountPostsRequest): Promise<PostCounts> {
      const counts = await posts.count(actorFrom(request.actorId));
      const sum = (...states: PostState[]) => states.reduce((all, state) => all + (counts[state] ?? 0), 0);
      return {
        scheduled: sum('scheduled', 'publishing'),
        published: sum('published'),
        failed: sum('failed', 'needs_review'),
        total: sum(...socialPostStates.filter((state) => state !== 'draft')),
      };
    },
    async *exportPosts(request: ExportPostsRequest): AsyncGenerator<SocialPost> {
      const userId = actorFrom(request.actorId);
      let before: { at: Date; id: string } | undefined;
      do {
        const page = await posts.list(userId, { limit: socialLimits.socialPostsPerPage, before });
        yield* page.map(shownPost);
        const last = page.length === socialLimits.socialPostsPerPage ? page.at(-1) : undefined;
        before = last && { at: last.createdAt, id: last.id };
      } while (before);
    },
    async listPostFiles(request: ListPostFilesRequest): Promise<ListPostFilesReply> {
      if (request.fileIds.length > mostFiles) {
        throw failSocial('invalid', 'invalid_request', `At most ${mostFiles} files are asked about at once.`);
      }
      const ids = request.fileIds.map((id) => parseId<FileId>(id)).filter((id) => id !== undefined);
      return { fileIds: await posts.listNamed(ids) };
    },
  };
}

/** Whether an attempt is under way, or the first one is to come at once. */
const isOnItsWay = ({ scheduledAt, deliveries }: ShownPost): boolean =>
  deliveries.some(
    ({ state, retryAt }) => state === 'publishing' || (state === 'waiting' && retryAt === null && scheduledAt === null),
  );

function shownPost(post: ShownPost): SocialPost {
  return {
    id: post.id,
    text: post.text,
    texts: textsOf(post.texts),
    media: post.media.map(({ fileId, altText }) => ({ fileId, altText })),
    state: post.state,
    scheduledAt: post.scheduledAt ?? undefined,
    localTime: post.localTime ?? '',
    timeZone: post.timeZone ?? '',
    createdAt: post.createdAt,
    wanted: post.wanted.map(({ id, platform, name }) => ({ id, platform, name, expired: false, chosen: false })),
    deliveries: post.deliveries.map((delivery) => ({
      id: delivery.id,
      platform: delivery.platform,
      connectionId: delivery.connectionId ?? '',
      accountName: delivery.accountName,
      state: delivery.state,
      reason: delivery.reason ?? '',
      retryAt: delivery.retryAt ?? undefined,
      address: delivery.address ?? '',
      publishedAt: delivery.publishedAt ?? undefined,
    })),
  };
}
