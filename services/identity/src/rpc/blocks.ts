import { parseActorId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { IdentityServiceDefinition } from '@nolo/proto/identity';
import { limits } from '@nolo/rules';
import { readTimeCursor, writeCursor } from '../domain/cursors.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toUser } from './replies.ts';
import { readUserId, userNotFound } from './requests.ts';

const defaultPageSize = 100;

export function listBlocked({
  blocks,
  viewPeople,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.listBlocked> {
  return async (request) => {
    const actor = parseActorId(request.actorId);
    const limit = clampPageSize(request.limit, defaultPageSize, limits.contactsPerPage);
    const rows = await blocks.list(actor, readTimeCursor(request.cursor), limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    const people = await viewPeople(
      actor,
      page.map((row) => row.userId),
    );
    return {
      users: page.flatMap((row) => people.get(row.userId) ?? []).map(toUser),
      nextCursor: last && writeCursor({ key: last.blockedAt.toISOString(), id: last.userId }),
    };
  };
}

export function setBlocked(
  dependencies: Dependencies,
): RpcHandler<typeof IdentityServiceDefinition.methods.setBlocked> {
  return async (request, context) => {
    const actor = parseActorId(request.actorId);
    const other = readUserId(request.userId);
    if (actor === other) throw createIdentityError('invalid', 'block_is_self', 'You cannot block yourself.');
    const outcome = await dependencies.blocks.set(actor, other, request.blocked, dependencies.clock.now());
    if (outcome === 'user_missing') throw userNotFound();
    if (outcome === 'changed') {
      await dependencies.frames.send([actor], { type: 'contacts_changed', data: {} });
      // The blocked person sees someone go offline, which does not reveal the block.
      await dependencies.presenceBroadcaster.presenceTo(other, actor).catch((error: unknown) => {
        context.log.warn({ err: error }, 'reflecting a block in presence failed');
      });
    }
    return {};
  };
}
