import { parseActorId, type UserId } from '@nolo/kit/ids';
import type { Conversation } from '@nolo/proto/conversation';
import type { EpochOfChange } from '@nolo/proto/epochs';
import type { MemberRole } from '@nolo/rules';
import { parseConversationId } from '../domain/parseIds.ts';
import { requireGroupAdmin, createRevisionSystemMessages, type GroupRevision } from '../domain/group.ts';
import type { LockedGroup } from '../domain/groupPorts.ts';
import { conversationNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { withChangeEpoch } from './prepareEpoch.ts';
import { toProtoConversation } from './replies.ts';

interface Acting {
  readonly id: UserId;
  readonly role: MemberRole;
}

interface InGroup {
  readonly actorId: string;
  readonly conversationId: string;
  /** Epoch that contains the change. */
  readonly epoch?: EpochOfChange | undefined;
}

/**
 * Runs work in a group of the actor, with all of it locked. `people` are the accounts that the work reads.
 *
 * @throws conversation_not_found if it does not exist or the actor is not a member; what an epoch is refused with
 */
export async function withLockedGroup<T>(
  { groups, clock, epochs, wake }: Pick<Dependencies, 'groups' | 'clock' | 'epochs' | 'wake'>,
  request: InGroup,
  people: readonly UserId[],
  work: (group: LockedGroup, actor: Acting) => Promise<T>,
): Promise<T> {
  const actorId = parseActorId(request.actorId);
  const conversationId = parseConversationId(request.conversationId);
  const change = async (group: LockedGroup) => {
    const { role } = group.standing(actorId);
    if (role === null) throw conversationNotFound();
    return { value: await work(group, { id: actorId, role }) };
  };
  const done = await withChangeEpoch(epochs, { userId: actorId, conversationId, epoch: request.epoch }, (epoch) =>
    groups.change(conversationId, [...new Set([actorId, ...people])], clock.now(), change, epoch),
  );
  if (!done) throw conversationNotFound();
  wake();
  return done.value;
}

/** Returns the actor's own membership of a group, without locks. @throws conversation_not_found. */
export async function requireGroupActor(
  { groups }: Pick<Dependencies, 'groups'>,
  request: InGroup,
): Promise<{ actor: Acting; conversationId: ReturnType<typeof parseConversationId> }> {
  const id = parseActorId(request.actorId);
  const conversationId = parseConversationId(request.conversationId);
  const role = (await groups.findWithStanding(conversationId, id))?.standing.role;
  if (!role) throw conversationNotFound();
  return { actor: { id, role }, conversationId };
}

/** Returns the group as the actor currently sees it. */
export async function loadConversationReply(
  { conversations }: Pick<Dependencies, 'conversations'>,
  request: InGroup,
): Promise<Conversation> {
  const actorId = parseActorId(request.actorId);
  const view = await conversations.find(actorId, parseConversationId(request.conversationId));
  if (!view) throw conversationNotFound();
  return toProtoConversation(view, actorId);
}

/** Changes a group's properties and adds system messages. @throws conversation_not_found, not_admin. */
export async function reviseGroup(
  dependencies: Pick<Dependencies, 'groups' | 'clock' | 'epochs' | 'wake' | 'conversations'>,
  request: InGroup,
  revisionOf: (group: LockedGroup) => GroupRevision,
): Promise<Conversation> {
  await withLockedGroup(dependencies, request, [], async (group, actor) => {
    requireGroupAdmin(actor.role);
    const revision = revisionOf(group);
    await group.revise(revision);
    for (const systemMessage of createRevisionSystemMessages(group.meta, revision))
      await group.addSystemMessage(actor.id, systemMessage);
  });
  return loadConversationReply(dependencies, request);
}
