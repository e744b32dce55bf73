import type { Clock } from '@nolo/kit/clock';
import { actorFrom, type UserId } from '@nolo/kit/ids';
import { socialPostStates } from '@nolo/rules';
import type {
  AddPostRequest,
  DeletePostReply,
  ListPostsReply,
  ListPostsRequest,
  PostRequest,
  ResolveDeliveryRequest,
  SocialPost,
} from '@nolo/proto/social';
import { faultsOf } from '../domain/checkPost.ts';
import { instantOf } from '../domain/localTime.ts';
import type { ConnectionStore, PostState } from '../domain/ports.ts';
import type { Draft, PostStore, ShownPost } from '../domain/posts.ts';
import { failSocial } from '../errors.ts';
import type { Platforms } from '../platforms/createPlatforms.ts';
import type { PlatformId } from '../domain/platform.ts';
import { isPlatformId, parseUuid } from './parse.ts';

interface Dependencies {
  platforms: Platforms;
  connections: ConnectionStore;
  posts: PostStore;
  clock: Clock;
}

/** No platform takes a longer text. */
const mostText = 63_206;
const mostMedia = 20;
const isState = (name: string): name is PostState => socialPostStates.some((state) => state === name);

export function postHandlers(dependencies: Dependencies) {
  const { posts, clock } = dependencies;
  const one = (change: (userId: UserId, id: string) => Promise<ShownPost>) => async (request: PostRequest) =>
    shownPost(await change(actorFrom(request.actorId), parseUuid('post_id', request.postId)));

  return {
    async addPost(request: AddPostRequest): Promise<SocialPost> {
      const userId = actorFrom(request.actorId);
      const id = parseUuid('post_id', request.postId);
      return shownPost(await posts.add(userId, id, await readDraft(dependencies, userId, request)));
    },
    async editPost(request: AddPostRequest): Promise<SocialPost> {
      const userId = actorFrom(request.actorId);
      const id = parseUuid('post_id', request.postId);
      return shownPost(await posts.edit(userId, id, await readDraft(dependencies, userId, request)));
    },
    cancelPost: one((userId, id) => posts.cancel(userId, id)),
    retryPost: one((userId, id) => posts.retry(userId, id)),
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
      const page = {
        limit: Math.min(Math.max(request.limit, 1), 100),
        ...(request.before === '' ? {} : { before: parseUuid('before', request.before) }),
        ...(chosen.length === 0 ? {} : { states: chosen }),
      };
      return { posts: (await posts.list(userId, page)).map(shownPost) };
    },
  };
}

async function readDraft(
  { platforms, connections, clock }: Dependencies,
  userId: UserId,
  request: AddPostRequest,
): Promise<Draft> {
  const { text, media } = request;
  const texts = textsOf(request.texts);
  if ([text, ...Object.values(texts)].some((some) => some.length > mostText)) throw tooLong(mostText);
  if (media.length > mostMedia) throw mediaInvalid();
  const mine = await connections.list(userId);
  const wanted = mine.filter(({ id }) => request.connectionIds.includes(id));
  const offered = [...new Set(wanted.map(({ platform }) => platform))].flatMap((id) => platforms.get(id) ?? []);
  // Which of them are videos is known when they are sent.
  const [fault] = faultsOf({ text, texts }, { images: Math.min(media.length, 1), videos: 0 }, offered);
  if (fault?.fault === 'empty') throw failSocial('invalid', 'post_empty', 'Please add some content to post');
  if (fault?.fault === 'too_long') throw tooLong(fault.limit, fault.platform);
  if (fault) throw mediaInvalid(fault.platform);
  return {
    text,
    texts,
    media: media.map(({ fileId, altText }) => ({ fileId: parseUuid('file_id', fileId), altText })),
    connectionIds: request.connectionIds.map((id) => parseUuid('connection_ids', id)),
    time: timeOf(request, clock.now()),
  };
}

function timeOf({ localTime: local, timeZone: zone }: AddPostRequest, now: Date): Draft['time'] {
  if (local === '') return undefined;
  const found = instantOf(local, zone);
  if (found === 'time_zone_unknown') throw failSocial('invalid', found, 'This time zone is not known.');
  if (found === 'time_invalid') throw failSocial('invalid', found, 'This is no date and time.');
  if (found.at <= now) throw failSocial('invalid', 'time_past', 'Please choose a time in the future.');
  return { at: found.at, local, zone };
}

function textsOf(given: Readonly<Record<string, string>>): Partial<Record<PlatformId, string>> {
  return Object.fromEntries(Object.entries(given).filter(([platform]) => isPlatformId(platform)));
}

const tooLong = (limit: number, platform?: PlatformId) =>
  failSocial('invalid', 'post_too_long', `Message exceeds character limit (${limit} characters)`, { limit, platform });
const mediaInvalid = (platform?: PlatformId) =>
  failSocial('invalid', 'post_media_invalid', 'These pictures and videos cannot be posted there.', { platform });

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
    deliveries: post.deliveries.map((delivery) => ({
      id: delivery.id,
      platform: delivery.platform,
      connectionId: delivery.connectionId ?? '',
      accountName: delivery.accountName,
      state: delivery.state,
      reason: delivery.reason ?? '',
      retryAt: delivery.retryAt ?? undefined,
      address: delivery.address ?? '',
    })),
  };
}
