import { parseActorId, parseIdOrThrow, newId, parseId, type ConversationId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupCallee, MeetingServiceDefinition } from '@nolo/proto/meetings';
import { parseCallAudience, shouldCallRing } from '../domain/call.ts';
import type { NewGroupRing } from '../domain/groupRing.ts';
import { conversationNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

/** Rings for members who accept the caller's calls, as a direct call would (decisions 39 and 52). */
export async function startRinging(
  { groupRings, clock, wake }: Dependencies,
  call: Omit<NewGroupRing, 'callees'>,
  candidates: readonly GroupCallee[],
): Promise<void> {
  const callees = candidates.flatMap(({ userId, callsFrom, isContact = false, isAccepted = false }): UserId[] => {
    const id = parseId<UserId>(userId);
    return id !== undefined &&
      id !== call.callerId &&
      shouldCallRing(parseCallAudience(callsFrom), { isContact, isAccepted })
      ? [id]
      : [];
  });
  await groupRings.begin({ ...call, callees }, newId(), clock.now());
  wake();
}

export function declineGroupCall({
  meetings,
  groupRings,
  wake,
}: Dependencies): RpcHandler<typeof MeetingServiceDefinition.methods.declineGroupCall> {
  return async (request) => {
    const userId = parseActorId(request.actorId ?? '');
    const meeting = await meetings.findOfGroup(
      parseIdOrThrow<ConversationId>(request.conversationId ?? '', conversationNotFound),
    );
    // Declining a nonexistent ring reveals nothing about the group.
    if (!meeting) return {};
    await groupRings.stop({ meetingId: meeting.id, userId }, 'declined');
    wake();
    return {};
  };
}

export function listGroupRings({
  groupRings,
}: Dependencies): RpcHandler<typeof MeetingServiceDefinition.methods.listGroupRings> {
  return async (request) => {
    const rings = await groupRings.list(parseActorId(request.actorId ?? ''));
    return {
      rings: rings.map(({ callId, groupId, roomCode, callerId, type, since }) => ({
        callId,
        conversationId: groupId,
        roomCode,
        callerId,
        type,
        since,
      })),
    };
  };
}
