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
import {
  createChatError,
  draftNotSealed,
  encryptionRequired,
  messageNotFound,
  messageWithdrawn,
  notAuthor,
  sealRefused,
} from '../errors.ts';
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
  return { ...approval, replyToSeq: draft.replyToSeq, fileSize: draft.fileSize, seal, approved: true };
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
  const { unapprovedMessages, messages, clock, onStored, wake } = dependencies;

  /** Returns the error for a message that somebody settled meanwhile. */
  const settledError = async ({ conversationId, id }: StoredUnapprovedMessage): Promise<Error> =>
    (await unapprovedMessages.find(conversationId, id)) === 'withdrawn' ? messageWithdrawn() : messageNotFound();

  const reject = async (waiting: StoredUnapprovedMessage): Promise<void> => {
    if (!(await unapprovedMessages.reject(waiting, clock.now()))) throw await settledError(waiting);
    wake();
  };

  /** Stores the author's message, or that of the approver in place of a sealed one. */
  const approve = async (waiting: StoredUnapprovedMessage, approverId: UserId, message: MessageDraft) => {
    const outcome = await unapprovedMessages.approve(waiting, approverId, message, clock.now());
    if (!outcome) throw await settledError(waiting);
    if (outcome.kind !== 'stored' && outcome.kind !== 'repeated') {
      if (waiting.draft.seal) throw toSendError(outcome);
      // The group was sealed since. The draft stays until its author sends it sealed, or an admin rejects it.
      if (outcome.kind === 'encryption_required') throw draftNotSealed();
      // The author left meanwhile, or files are no longer allowed, so the message cannot be approved.
      await reject(waiting);
      throw messageNotFound();
    }
    if (outcome.kind === 'stored') onStored(outcome.message.messageType);
    wake();
  };

  return async (request) => {
    const { actor, conversationId } = await requireGroupActor(dependencies, request);
    requireGroupAdmin(actor.role);
    const heldId = parseId(request.heldId);
    const waiting = heldId && (await unapprovedMessages.find(conversationId, heldId));
    if (waiting === 'withdrawn') throw messageWithdrawn();
    if (!waiting) {
      const sent = request.message?.clientMessageId
        ? await messages.findSent(actor.id, request.message.clientMessageId)
        : undefined;
      // A repeat of an approval that was stored.
      if (request.approve && sent && sent.seal?.draftId === heldId) return {};
      throw messageNotFound();
    }
    if (!request.approve) {
      await reject(waiting);
    } else if (!waiting.draft.seal) {
      const clientMessageId = waiting.draft.clientMessageId ?? waiting.id;
      await approve(waiting, actor.id, { ...waiting.draft, clientMessageId, approved: true });
    } else {
      if (!request.message?.sealed) throw encryptionRequired();
      await approve(waiting, actor.id, await checkApproval(dependencies, actor.id, waiting, request.message));
    }
    return {};
  };
}

export function withdrawHeldMessage(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.withdrawHeldMessage> {
  const { unapprovedMessages, clock, wake } = dependencies;
  return async (request) => {
    const { actor, conversationId } = await requireGroupActor(dependencies, request);
    const heldId = parseId(request.heldId);
    const outcome = heldId && (await unapprovedMessages.withdraw(conversationId, heldId, actor.id, clock.now()));
    if (outcome === 'approved') {
      throw createChatError('conflict', 'message_approved', 'This message was approved. It is in the chat now.');
    }
    // Other members do not learn that a message waits.
    if (outcome === 'not_author' && isGroupAdmin(actor.role)) throw notAuthor();
    if (outcome !== 'withdrawn') throw messageNotFound();
    wake();
    return {};
  };
}
