import { parseActorId, parseId, type UserId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { StatusServiceDefinition } from '@nolo/proto/status';
import { limits } from '@nolo/rules';
import { statusListCursor } from '../domain/cursors.ts';
import { parseStatusId } from '../domain/status.ts';
import { statusInvalid, statusNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

export function viewStatus({
  views,
  metrics,
  clock,
}: Dependencies): RpcHandler<typeof StatusServiceDefinition.methods.viewStatus> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const view = await views.add(actorId, parseStatusId(request.statusId), clock.now());
    if (!view) throw statusNotFound();
    if (view === 'first') metrics.views.inc();
    return {};
  };
}

export function listStatusViewers({
  views,
  clock,
}: Dependencies): RpcHandler<typeof StatusServiceDefinition.methods.listStatusViewers> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const after = statusListCursor.read(request.cursor);
    const limit = clampPageSize(request.limit, limits.statusViewersPerPage, limits.statusViewersPerPage);
    const page = { after, limit: limit + 1, now: clock.now() };
    const rows = await views.list(actorId, parseStatusId(request.statusId), page);
    if (!rows) throw statusNotFound();
    const viewers = rows.slice(0, limit);
    const last = rows.length > limit ? viewers.at(-1) : undefined;
    return { viewers, nextCursor: last && statusListCursor.write({ at: last.viewedAt, userId: last.userId }) };
  };
}

const maxViewersPerCall = 1_000;

/** Lists readers for the notifications service. The request has no acting user. */
export function listStatusReaders({
  views,
  clock,
}: Dependencies): RpcHandler<typeof StatusServiceDefinition.methods.listStatusReaders> {
  return async ({ statusId, afterUserId, userIds }) => {
    if (userIds.length > maxViewersPerCall)
      throw statusInvalid(`At most ${maxViewersPerCall} people can be requested at once.`);
    const after = afterUserId === undefined ? undefined : parseActorId(afterUserId);
    const among = userIds.flatMap((id) => parseId<UserId>(id) ?? []);
    // If none of the given IDs is valid, the result is empty; passing no IDs would mean everyone.
    if (among.length === 0 && userIds.length > 0) return { userIds: [], nextUserId: undefined };
    const page = { after, among, limit: maxViewersPerCall + 1, now: clock.now() };
    const found = await views.unseenBy(parseStatusId(statusId), page);
    const readers = found.slice(0, maxViewersPerCall);
    return { userIds: readers, nextUserId: found.length > maxViewersPerCall ? readers.at(-1) : undefined };
  };
}
