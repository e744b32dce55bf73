import type { RpcContext } from '@nolo/kit/rpc';
import type { SetBlockedReply, SetBlockedRequest } from '@nolo/proto/people';
import { failIdentity } from '../errors.ts';
import type { RpcDeps } from './deps.ts';
import { readUserId, userNotFound } from './requests.ts';

export function setBlocked(deps: Pick<RpcDeps, 'announcements' | 'blocks' | 'clock' | 'frames'>) {
  return async (request: SetBlockedRequest, context: RpcContext): Promise<SetBlockedReply> => {
    const actor = readUserId(request.actorId);
    const other = readUserId(request.userId);
    if (actor === other) throw failIdentity('invalid', 'block_is_self', 'You cannot block yourself.');
    const outcome = await deps.blocks.set(actor, other, request.blocked, deps.clock.now());
    if (outcome === 'user_missing') throw userNotFound();
    if (outcome === 'changed') {
      await deps.frames.send([actor], { type: 'contacts_changed', data: {} });
      // The blocked person sees someone go offline, as people do; nothing says that it was a block.
      await deps.announcements.presenceTo(other, actor).catch((error: unknown) => {
        context.log.warn({ err: error }, 'a block was not reflected in presence');
      });
    }
    return {};
  };
}
