import { parseActorId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceDefinition } from '@nolo/proto/chat';
import type { SignedStatement } from '@nolo/proto/keys';
import type { EditMessageRequest } from '@nolo/proto/messages';
import type { MessageWithRights } from '../domain/annotationPorts.ts';
import { isAdminOf } from '../domain/annotations.ts';
import { fileIdsOf } from '../domain/attachment.ts';
import { checkErasure, checkRevision, type MessageRevision, type StoredMessage } from '../domain/message.ts';
import { parseMessageId } from '../domain/parseIds.ts';
import { checkSeal, checkSealedDeletion, noRowHash, type SealedDeletion } from '../domain/seals.ts';
import {
  editConflict,
  encryptionRequired,
  epochStale,
  linksRefused,
  messageBlocked,
  messageNotFound,
  messagesNotAllowed,
  sealRefused,
} from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { countingSealRefusals, toSendError } from './messages.ts';
import { toProtoMessage } from './replies.ts';

/** Checks the seal of a new version and adds it. It refers to the first version, and keeps its client id. */
async function withSeal(
  { sealing }: Pick<Dependencies, 'sealing'>,
  message: StoredMessage,
  revision: MessageRevision,
  sealed: NonNullable<EditMessageRequest['sealed']>,
): Promise<MessageRevision> {
  const { conversationId, clientMessageId, senderId: userId, messageType: type } = message;
  if (clientMessageId === null) throw sealRefused('target');
  if (sealed.held || sealed.draftId !== undefined || sealed.version < 1) throw sealRefused('row');
  const { mentions = [], hasLink = false } = revision;
  const seal = await checkSeal(sealing, sealed, {
    conversationId,
    userId,
    clientMessageId,
    type,
    version: sealed.version,
    mentions,
    fileIds: fileIdsOf(message),
    hasLink,
    target: { kind: 2, of: { messageId: message.id, rowHash: message.seal?.rowHash ?? null } },
  });
  return { ...revision, seal };
}

export function editMessage(dependencies: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.editMessage> {
  const { messages, clock, wake } = dependencies;
  const edit = async (request: EditMessageRequest) => {
    const actorId = parseActorId(request.actorId);
    const message = await messages.find(actorId, parseMessageId(request.messageId));
    if (!message) throw messageNotFound();
    const now = clock.now();
    const checked = checkRevision(message, actorId, request, now);
    const revision = request.sealed ? await withSeal(dependencies, message, checked, request.sealed) : checked;
    const revised = await messages.revise(message, revision, now);
    // Edits obey blocks and rules, too: an old message must not reach a person who wants no more messages.
    if (revised === 'blocked') throw messageBlocked();
    if (revised === 'needs_approval') throw linksRefused();
    if (revised === 'messages_not_allowed') throw messagesNotAllowed();
    if (revised === 'edit_conflict') throw editConflict();
    if (!revised) throw messageNotFound();
    if ('kind' in revised) throw toSendError(revised);
    wake();
    return toProtoMessage(revised);
  };
  return (request) => countingSealRefusals(dependencies, () => edit(request));
}

export function deleteMessage(
  dependencies: Dependencies,
): RpcHandler<typeof ChatServiceDefinition.methods.deleteMessage> {
  const { annotations, messages, sealing, clock, wake } = dependencies;

  /** Returns the signed deletion as it is stored. A message whose first version was not sealed needs none. */
  const readDeletion = async (
    { message, authorId }: MessageWithRights,
    userId: UserId,
    deletion: SignedStatement | undefined,
  ): Promise<SealedDeletion | undefined> => {
    if (!message.seal || message.seal.rowHash.equals(noRowHash)) return undefined;
    if (!deletion) throw encryptionRequired();
    const { conversationId, id: messageId, seal } = message;
    const of = { messageId, rowHash: seal.rowHash };
    return checkSealedDeletion(sealing, deletion, { conversationId, userId, of, isAuthor: authorId === userId });
  };

  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const place = await annotations.find(actorId, parseMessageId(request.messageId));
    if (!place) throw messageNotFound();
    const { message, authorId, conversationType, role } = place;
    const now = clock.now();
    const isAdmin = isAdminOf(conversationType, role);
    if (!checkErasure({ ...message, senderId: authorId }, { id: actorId, isAdmin }, now))
      return toProtoMessage(message);
    const tombstone = await messages.erase(message, now, await readDeletion(place, actorId, request.deletion));
    if (!tombstone) throw epochStale((await sealing.newest(actorId, message.conversationId)) ?? -1);
    wake();
    return toProtoMessage(tombstone);
  };
}
