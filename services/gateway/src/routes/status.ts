import { routes } from '@nolo/api';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import { sealStatus } from '../domain/statusContent.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { toIsoTime } from '../mapping/people.ts';
import { toStatusAudience, toStatusAuthor, toStatusUpdate } from '../mapping/status.ts';
import { findPeople } from '../mapping/findPeople.ts';

/** Returns the file at one of our addresses. Fetching from elsewhere would reveal who looks, and when. */
function fileAt(address: string | null | undefined): string | undefined {
  if (!address) return undefined;
  const id = /^\/objects\/([0-9a-fA-F-]{36})$/.exec(address)?.[1];
  if (id === undefined)
    throw createGatewayError('invalid', 'status_invalid', 'The file URL must point to a file uploaded here.');
  return id;
}

export function bindStatus(bind: BindRoute, context: Pick<GatewayContext, 'status' | 'identity'>): void {
  const { status } = context;

  bind(routes.listStatuses, async ({ actor, query, rpc, response }) => {
    const { statuses, nextCursor } = await status.listStatuses(
      { actorId: actor.userId, cursor: query.cursor, limit: query.limit },
      rpc,
    );
    setNextPageHeader(response, nextCursor);
    const authors = statuses.map(({ authorId }) => authorId);
    const people = await findPeople(context, actor.userId, authors, rpc);
    // Hides authors whose account is gone, even if status has not been notified yet.
    return statuses.flatMap((row) => {
      const author = people.get(row.authorId);
      return author ? [toStatusUpdate(row, author)] : [];
    });
  });

  bind(routes.postStatus, async ({ actor, body, rpc }) => {
    const { clientStatusId, mediaType, encryption, mediaUrl, previewUrl, audience } = body;
    const { content, envelope, backgroundColor, textColor, font, duration, mediaInfo, extra } = body;
    const inside = { content: content ?? '', envelope, backgroundColor, textColor, font, duration, mediaInfo, extra };
    const row = await status.postStatus(
      {
        actorId: actor.userId,
        clientStatusId,
        mediaType,
        content: sealStatus(inside, { encryption, mediaType }),
        encryption,
        fileId: fileAt(mediaUrl),
        previewFileId: fileAt(previewUrl),
        audience,
      },
      rpc,
    );
    const author = (await findPeople(context, actor.userId, [actor.userId], rpc)).get(actor.userId);
    if (!author) throw createGatewayError('not_found', 'user_not_found', 'This account no longer exists.');
    return toStatusUpdate(row, author);
  });

  bind(routes.viewStatus, async ({ actor, params, rpc }) => {
    await status.viewStatus({ actorId: actor.userId, statusId: params.id }, rpc);
  });

  bind(routes.removeStatus, async ({ actor, params, rpc }) => {
    await status.removeStatus({ actorId: actor.userId, statusId: params.id }, rpc);
  });

  bind(routes.listStatusViewers, async ({ actor, params, query, rpc, response }) => {
    const { viewers, nextCursor } = await status.listStatusViewers(
      { actorId: actor.userId, statusId: params.id, cursor: query.cursor, limit: query.limit },
      rpc,
    );
    setNextPageHeader(response, nextCursor);
    const ids = viewers.map(({ userId }) => userId);
    const people = await findPeople(context, actor.userId, ids, rpc);
    return viewers.flatMap(({ userId, viewedAt }) => {
      const user = people.get(userId);
      return user ? [{ user: toStatusAuthor(user), viewedAt: toIsoTime(viewedAt) }] : [];
    });
  });

  bind(routes.getStatusAudience, async ({ actor, rpc }) =>
    toStatusAudience(await status.getStatusAudience({ actorId: actor.userId }, rpc)),
  );

  bind(routes.setStatusAudience, async ({ actor, body, rpc }) =>
    toStatusAudience(await status.setStatusAudience({ actorId: actor.userId, audience: body }, rpc)),
  );

  const mute = async (
    actorId: string,
    authorId: string,
    muted: boolean,
    rpc: Parameters<typeof status.setStatusMute>[1],
  ) => {
    await status.setStatusMute({ actorId, authorId, muted }, rpc);
  };
  bind(routes.muteStatuses, async ({ actor, params, rpc }) => mute(actor.userId, params.userId, true, rpc));
  bind(routes.unmuteStatuses, async ({ actor, params, rpc }) => mute(actor.userId, params.userId, false, rpc));
}
