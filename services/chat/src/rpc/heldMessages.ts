import { parseId, type MessageId, type UserId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceDefinition } from '@nolo/proto/groups';
import type { SendMessageRequest } from '@nolo/proto/messages';
import { limits } from '@nolo/rules';
import { readTimeCursor, writeTimeCursor } from '../domain/cursor.ts';
import { isGroupAdmin, requireGroupAdmin } from '../domain/group.ts';
import type { StoredUnapprovedMessage } from '../domain/groupPorts.ts';
import { checkDraft, type MessageDraft } from '../domain/message.ts';
import { checkSeal } from '../domain/seals.ts';
import { draftNotSealed, encryptionRequired, messageNotFound, sealRefused } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toSendError } from './messages.ts';
import { toProtoUnapprovedMessage } from './replies.ts';
import { requireGroupActor } from './withLockedGroup.ts';

/** Messages that wait for approval in a moderated group (decision 16). */

/**
 * Checks the message in which an admin approves a sealed draft: it refers to the draft and has its type and files,
 * which were checked when it was held.
 *
 * @throws seal_refused, epoch_stale, message_invalid
 */
async function checkApproval(
  { sealing }: Pick<Dependencies, 'sealing'>,
  actorId: UserId,
  { id, conversationId, draft }: StoredUnapprovedMessage,
  request: SendMessageRequest,
): Promise<MessageDraft> {
  const approval = checkDraft(actorId, request);
  const { clientMessageId, messageType: type, mentions, fileIds, hasLink } = approval;
  const { sealed } = request;
  if (!sealed || clientMessageId === null || sealed.held || approval.replyToSeq !== null) throw sealRefused('row');
  if (sealed.draftId !== id || !draft.seal) throw sealRefused('target');
  if (type !== draft.messageType || fileIds.join() !== draft.fileIds.join()) throw sealRefused('files');
  const subject = { conversationId, userId: actorId, clientMessageId, type, version: 0, mentions, fileIds, hasLink };
  const of = { messageId: id as MessageId, rowHash: draft.seal.rowHash };
  const seal = await checkSeal(sealing, sealed, { ...subject, target: { kind: 4, of } });
  return { ...approval, fileSize: draft.fileSize, seal, approved: true };
}

export function listHeldMessages(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.listHeldMessages> {
  return async (request) => {
    const place = readTimeCursor(request.cursor);
    const { actor, conversationId } = await requireGroupActor(dependencies, request);
    const maxPerPage = limits.messagesPerPage;
    const { rows, hasMore } = await dependencies.unapprovedMessages.list(
      conversationId,
      isGroupAdmin(actor.role) ? undefined : actor.id,
      place,
      clampPageSize(request.limit, maxPerPage, maxPerPage),
    );
    const last = rows.at(-1);
    return {
      held: rows.map((one) => ({ id: one.id, message: toProtoUnapprovedMessage(one) })),
      nextCursor: last && hasMore ? writeTimeCursor({ at: last.submittedAt, id: last.id }) : undefined,
    };
  };
}

export function decideHeldMessage(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.decideHeldMessage> {
  const { unapprovedMessages, messages, sendQueue, clock, onStored, wake } = dependencies;

  /** Stores the approver's message in place of a sealed draft. */
  const approveSealed = async (waiting: StoredUnapprovedMessage, approval: MessageDraft): Promise<void> => {
    const outcome = await unapprovedMessages.approveSealed(waiting, approval, clock.now());
    if (!outcome) throw messageNotFound();
    if (outcome.kind !== 'stored' && outcome.kind !== 'repeated') throw toSendError(outcome);
    if (outcome.kind === 'repeated') return;
    onStored(outcome.message.messageType);
    wake();
  };

  return async (request) => {
    const { actor, conversationId } = await requireGroupActor(dependencies, request);
    requireGroupAdmin(actor.role);
    const heldId = parseId(request.heldId);
    const waiting = heldId && (await unapprovedMessages.find(conversationId, heldId));
    if (!waiting) {
      const sent = request.message?.clientMessageId
        ? await messages.findSent(actor.id, request.message.clientMessageId)
        : undefined;
      // A repeat of an approval that was stored.
      if (request.approve && sent && sent.seal?.draftId === heldId) return {};
      throw messageNotFound();
    }
    if (request.approve && waiting.draft.seal) {
      if (!request.message?.sealed) throw encryptionRequired();
      await approveSealed(waiting, await checkApproval(dependencies, actor.id, waiting, request.message));
      return {};
    }
    let refused = !request.approve;
    if (request.approve) {
      // If the process dies before the wait ends, a repeated approval finds the stored message.
      const clientMessageId = waiting.draft.clientMessageId ?? waiting.id;
      const outcome = await sendQueue.send(conversationId, { ...waiting.draft, clientMessageId, approved: true });
      // The group was sealed since. The draft stays until its author sends it sealed, or an admin rejects it.
      if (outcome.kind === 'encryption_required') throw draftNotSealed();
      if (outcome.kind === 'stored') onStored(outcome.message.messageType);
      refused = outcome.kind !== 'stored' && outcome.kind !== 'repeated';
    }
    await unapprovedMessages.settle(waiting, refused, clock.now());
    wake();
    // The author left meanwhile, or files are no longer allowed, so the message cannot be approved.
    if (request.approve && refused) throw messageNotFound();
    return {};
  };
}
