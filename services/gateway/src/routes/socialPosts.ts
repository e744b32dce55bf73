import { routes, type SocialPost } from '@nolo/api';
import { newId } from '@nolo/kit/ids';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { AddPostRequest } from '@nolo/proto/social';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { toSocialMediaInput, toSocialPost, toSocialResults } from '../mapping/social.ts';
import { requireSocial } from './social.ts';
import { readSocialForm } from './socialForm.ts';

/** Timeout for adding a post. Pictures are re-encoded when a post first uses them. */
const addingMs = 40_000;
/** The service replies within 10 seconds. */
const awaitingMs = 15_000;

/** Fields that all post bodies share. */
interface Written {
  clientPostId?: string | undefined;
  content: string;
  texts?: Partial<Record<string, string>> | undefined;
  media?: { url: string; altText: string }[] | undefined;
  platforms?: readonly string[] | undefined;
  accountIds?: readonly string[] | undefined;
  scheduledAt?: string | null | undefined;
  timeZone?: string | undefined;
  draft?: boolean;
}

function toRequest(actorId: string, written: Written): AddPostRequest {
  return {
    actorId,
    postId: written.clientPostId ?? newId(),
    text: written.content,
    texts: Object.fromEntries(Object.entries(written.texts ?? {}).filter(([, text]) => text !== undefined)) as Record<
      string,
      string
    >,
    media: toSocialMediaInput(written.media),
    connectionIds: [...(written.accountIds ?? [])],
    platforms: [...(written.platforms ?? [])],
    everywhere: false,
    localTime: written.scheduledAt ?? undefined,
    timeZone: written.timeZone,
    draft: written.draft ?? false,
  };
}

/**
 * Returns the message with the link appended if missing, or a text from the meeting's details if there is no message.
 */
function invitation(message: string, meeting: { meetingUrl: string; meetingTitle?: string; roomCode?: string }) {
  const { meetingUrl, meetingTitle = '', roomCode = '' } = meeting;
  if (message.includes(meetingUrl)) return message;
  const lines = message.trim() === '' ? [meetingTitle, meetingUrl, roomCode] : [message, meetingUrl];
  return lines.filter((line) => line !== '').join('\n');
}

const isWebAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Routes for immediate and scheduled posts and their results. */
export function bindSocialPosts(
  bind: BindRoute,
  context: Pick<GatewayContext, 'social' | 'sharedFiles' | 'limits'>,
): void {
  const add = async (request: AddPostRequest, rpc: RpcCallOptions): Promise<SocialPost> =>
    toSocialPost(await requireSocial(context).addPost(request, { ...rpc, timeoutMs: addingMs }));
  /** Adds a post and, if it is published immediately, waits for the result. */
  const addAndAwait = async (request: AddPostRequest, rpc: RpcCallOptions): Promise<SocialPost> => {
    const added = await add(request, rpc);
    if (request.localTime) return added;
    const { actorId } = request;
    return toSocialPost(
      await requireSocial(context).awaitPost({ actorId, postId: added.id }, { ...rpc, timeoutMs: awaitingMs }),
    );
  };

  bind(routes.multipost, async ({ actor, rpc, request, response }) => {
    // Checked before any data is read.
    requireSocial(context);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const form = await readSocialForm(request, context, actor.userId, { ...rpc, signal: gone.signal });
    const { text, ...fields } = form.fields;
    const post = { ...toRequest(actor.userId, { ...fields, content: text }), media: form.media };
    return toSocialResults(await addAndAwait(post, rpc));
  });

  bind(routes.sharePost, async ({ actor, body, rpc }) => {
    const { message, ...rest } = body;
    return await addAndAwait(toRequest(actor.userId, { ...rest, content: message }), rpc);
  });

  bind(routes.shareMeeting, async ({ actor, body, rpc }) => {
    const { message, texts = {}, meetingUrl, meetingTitle, roomCode, ...rest } = body;
    if (!isWebAddress(meetingUrl)) {
      throw createGatewayError('invalid', 'link_invalid', 'The meeting URL must start with http:// or https://.');
    }
    const meeting = {
      meetingUrl,
      ...(meetingTitle === undefined ? {} : { meetingTitle }),
      ...(roomCode === undefined ? {} : { roomCode }),
    };
    const others = Object.entries(texts).map(([platform, text]) => [platform, invitation(text, meeting)]);
    const written = { ...rest, content: invitation(message, meeting), texts: Object.fromEntries(others) };
    return await addAndAwait(toRequest(actor.userId, written), rpc);
  });

  bind(routes.schedulePost, async ({ actor, body, rpc }) => {
    const { platforms, accountIds } = body;
    const everywhere = platforms === undefined && accountIds === undefined;
    const post = await add({ ...toRequest(actor.userId, body), everywhere }, rpc);
    return { scheduleId: post.id, post };
  });

  bind(routes.createSocialPost, async ({ actor, body, rpc }) => await add(toRequest(actor.userId, body), rpc));

  bind(routes.editSocialPost, async ({ actor, params, body, rpc }) => {
    const request = toRequest(actor.userId, { ...body, clientPostId: params.id });
    return toSocialPost(await requireSocial(context).editPost(request, { ...rpc, timeoutMs: addingMs }));
  });

  bind(routes.listSocialPosts, async ({ actor, query, rpc, response }) => {
    const { posts, nextCursor } = await requireSocial(context).listPosts(
      {
        actorId: actor.userId,
        limit: query.limit,
        cursor: query.cursor,
        states: query.state === undefined ? [] : [query.state],
        from: query.from === undefined ? undefined : new Date(query.from),
        to: query.to === undefined ? undefined : new Date(query.to),
      },
      rpc,
    );
    setNextPageHeader(response, nextCursor);
    return posts.map(toSocialPost);
  });

  bind(
    routes.countSocialPosts,
    async ({ actor, rpc }) => await requireSocial(context).countPosts({ actorId: actor.userId }, rpc),
  );

  const named = (actorId: string, postId: string) => ({ actorId, postId });
  bind(routes.getSocialPost, async ({ actor, params, rpc }) =>
    toSocialPost(await requireSocial(context).getPost(named(actor.userId, params.id), rpc)),
  );
  bind(routes.cancelSocialPost, async ({ actor, params, rpc }) =>
    toSocialPost(await requireSocial(context).cancelPost(named(actor.userId, params.id), rpc)),
  );
  bind(routes.retrySocialPost, async ({ actor, params, rpc }) =>
    toSocialPost(await requireSocial(context).retryPost(named(actor.userId, params.id), rpc)),
  );
  bind(routes.deleteSocialPost, async ({ actor, params, rpc }) => {
    await requireSocial(context).deletePost(named(actor.userId, params.id), rpc);
  });
  bind(routes.duplicateSocialPost, async ({ actor, params, body, rpc }) => {
    const draftId = body?.clientPostId ?? newId();
    return toSocialPost(
      await requireSocial(context).duplicatePost({ ...named(actor.userId, params.id), draftId }, rpc),
    );
  });
  bind(routes.reviewSocialPost, async ({ actor, params, body, rpc }) => {
    const verdict = { ...named(actor.userId, params.id), deliveryId: params.deliveryId, wentOut: body.wentOut };
    return toSocialPost(await requireSocial(context).resolveDelivery(verdict, rpc));
  });
}
