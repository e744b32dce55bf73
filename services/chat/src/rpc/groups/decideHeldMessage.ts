import { parseId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { messageNotFound } from '../../errors.ts';
import { checkAdmin } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { partIn } from './inGroup.ts';

export function decideHeldMessage(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceService.decideHeldMessage> {
  const { held, sendQueue, clock, onStored, wake } = dependencies;
  return async (request) => {
    const { actor, conversationId } = await partIn(dependencies, request);
    checkAdmin(actor.role);
    const heldId = parseId(request.heldId);
    const waiting = heldId && (await held.find(conversationId, heldId));
    if (!waiting) throw messageNotFound();
    let refused = !request.approve;
    if (request.approve) {
      // Where this dies before the waiting ends, approving it again finds the message there.
      const clientMessageId = waiting.draft.clientMessageId ?? waiting.id;
      const outcome = await sendQueue.send(conversationId, { ...waiting.draft, clientMessageId, approved: true });
      if (outcome.kind === 'stored') onStored(outcome.message.messageType);
      refused = outcome.kind !== 'stored' && outcome.kind !== 'repeated';
    }
    await held.settle(waiting, refused, clock.now());
    wake();
    // Its author left meanwhile, or files are refused by now: there is nothing to let in any more.
    if (request.approve && refused) throw messageNotFound();
    return {};
  };
}
