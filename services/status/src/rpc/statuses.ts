import { parseActorId, type UserId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import { requireSwitchedOn } from '@nolo/installation/settings';
import type { Status, StatusServiceDefinition } from '@nolo/proto/status';
import { limits } from '@nolo/rules';
import { statusListCursor } from '../domain/cursors.ts';
import type { PostStatusOutcome } from '../domain/ports.ts';
import {
  parseStatusAudience,
  parseStatusDraft,
  checkStatusFileFacts,
  computeStatusExpiry,
  parseStatusId,
  type ViewedStatus,
} from '../domain/status.ts';
import { statusNotFound, statusRemoved, tooManyStatuses } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

/** Builds the reply for the actor. The audience is visible to the author alone. */
function toReply(status: ViewedStatus, actorId: UserId): Status {
  return {
    id: status.id,
    authorId: status.authorId,
    mediaType: status.mediaType,
    content: status.content,
    encryption: status.encryption,
    fileId: status.fileId ?? undefined,
    previewFileId: status.previewFileId ?? undefined,
    clientStatusId: status.clientId ?? undefined,
    viewCount: status.viewCount,
    hasViewed: status.hasViewed,
    isMuted: status.isMuted,
    audienceMode: status.authorId === actorId ? status.audienceMode : undefined,
    createdAt: status.createdAt,
    expiresAt: status.expiresAt,
  };
}

/** @throws status_removed, too_many_statuses */
function postedReply(posted: PostStatusOutcome, actorId: UserId): Status {
  if (posted.kind === 'removed') throw statusRemoved();
  if (posted.kind === 'full') throw tooManyStatuses(limits.statusesPerUser);
  return toReply(posted.status, actorId);
}

export function postStatus({
  statuses,
  attachable,
  metrics,
  clock,
  installation,
}: Dependencies): RpcHandler<typeof StatusServiceDefinition.methods.postStatus> {
  return async (request) => {
    requireSwitchedOn(installation, 'status');
    const actorId = parseActorId(request.actorId);
    const draft = parseStatusDraft(actorId, request);
    const audience = request.audience && parseStatusAudience(actorId, request.audience);
    // If it was posted before, its files may be gone by now, and the first reply stands.
    const before = draft.clientId !== null && (await statuses.findPosted(actorId, draft.clientId, clock.now()));
    if (before) return postedReply(before, actorId);
    const fileIds = [draft.fileId, draft.previewFileId].filter((id) => id !== null);
    if (fileIds.length > 0) checkStatusFileFacts(draft, await attachable(actorId, fileIds));
    const now = clock.now();
    const posted = await statuses.post(draft, audience, { now, expiresAt: computeStatusExpiry(now) });
    if (posted.kind === 'posted') metrics.posted.inc({ type: draft.mediaType });
    return postedReply(posted, actorId);
  };
}

export function listStatuses({
  statuses,
  clock,
}: Dependencies): RpcHandler<typeof StatusServiceDefinition.methods.listStatuses> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const after = statusListCursor.read(request.cursor);
    const limit = clampPageSize(request.limit, limits.statusAuthorsPerPage, limits.statusAuthorsPerPage);
    const now = clock.now();
    const [own, others] = await Promise.all([
      after ? [] : statuses.listOwn(actorId, now),
      statuses.listOthers(actorId, after, limit, now),
    ]);
    return {
      statuses: [...own, ...others.statuses].map((status) => toReply(status, actorId)),
      nextCursor: others.next ? statusListCursor.write(others.next) : undefined,
    };
  };
}

export function removeStatus({
  statuses,
  clock,
}: Dependencies): RpcHandler<typeof StatusServiceDefinition.methods.removeStatus> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    if (!(await statuses.remove(actorId, parseStatusId(request.statusId), clock.now()))) throw statusNotFound();
    return {};
  };
}

/** Exports a user's status updates, read at once because `limits.statusesPerUser` bounds them. */
export function exportStatuses({
  statuses,
  clock,
}: Dependencies): RpcHandler<typeof StatusServiceDefinition.methods.exportStatuses> {
  return async function* (request) {
    const actorId = parseActorId(request.actorId);
    for (const status of await statuses.listOwn(actorId, clock.now())) yield toReply(status, actorId);
  };
}
