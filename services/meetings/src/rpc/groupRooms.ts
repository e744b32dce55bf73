import { isAppError } from '@nolo/kit/errors';
import { parseActorId, type ConversationId, parseIdOrThrow, type MeetingId, newId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { Conversation } from '@nolo/proto/conversation';
import type { MeetingServiceDefinition } from '@nolo/proto/meetings';
import { requireSwitchedOn } from '@nolo/installation/settings';
import { callTypes, limits } from '@nolo/rules';
import { startRinging } from './groupRings.ts';
import { applyPlan } from '../domain/hostPlan.ts';
import type { Meeting, Membership } from '../domain/meeting.ts';
import { conversationNotFound, meetingInvalid, removedFromMeeting } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { loadMeetingReply, toMeetingReply } from './replies.ts';

type Needs = Pick<Dependencies, 'chat' | 'meetings' | 'clock'>;

/** Returns the group as the actor sees it, or undefined for nonmembers. */
export async function loadGroup(
  { chat }: Pick<Dependencies, 'chat'>,
  groupId: ConversationId,
  actorId: UserId,
): Promise<Conversation | undefined> {
  try {
    const conversation = await chat.getConversation({ actorId, conversationId: groupId });
    return conversation.type === 'group' ? conversation : undefined;
  } catch (error) {
    if (isAppError(error) && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/**
 * Returns the membership in a group's room. The group's owner and admins are hosts, and people who were removed stay
 * out.
 */
export function deriveGroupRoomMembership({ myRole }: Conversation, stored: Membership | undefined): Membership {
  return {
    role: myRole === 'owner' || myRole === 'admin' ? 'host' : 'participant',
    admitted: true,
    removed: stored?.removed ?? false,
  };
}

/** Applies the group's settings to its room whenever someone joins or tries an action that may be refused. */
export async function syncGroupSettings(
  { meetings, clock }: Omit<Needs, 'chat'>,
  meeting: Meeting,
  group: Conversation,
): Promise<Meeting> {
  const wanted = group.meta?.group?.settings;
  if (!wanted) return meeting;
  const { allowScreenShare, allowRecording } = wanted;
  const now = meeting.settings;
  if (now.allowScreenShare === allowScreenShare && now.allowRecording === allowRecording) return meeting;
  const settings = { ...now, allowScreenShare, allowRecording };
  return (await meetings.change(meeting.id, { settings }, clock.now())) ?? meeting;
}

/** Returns the meeting with the current settings of its group, if it is a group's room. */
export async function loadMeetingWithGroupSettings(
  dependencies: Needs,
  id: MeetingId,
  actorId: UserId,
): Promise<Meeting | undefined> {
  const meeting = await dependencies.meetings.find(id);
  if (!meeting || meeting.groupId === null) return meeting;
  const group = await loadGroup(dependencies, meeting.groupId, actorId);
  return group ? syncGroupSettings(dependencies, meeting, group) : undefined;
}

/** Creates the room of a group that has none. */
async function createRoom(
  { meetings, allowanceOf, clock }: Dependencies,
  actorId: UserId,
  groupId: ConversationId,
  name: string,
): Promise<Meeting> {
  const allowance = await allowanceOf(actorId);
  const now = clock.now();
  return meetings.create({
    id: newId(),
    // The room uses the group's own chat.
    conversationId: groupId,
    groupId,
    hostId: actorId,
    name,
    description: '',
    requestedParticipants: limits.meetingParticipantsMax,
    ...applyPlan({ requestedParticipants: limits.meetingParticipantsMax }, allowance),
    scheduledAt: null,
    durationMinutes: 0,
    timeZone: '',
    recurrence: 'none',
    status: 'created',
    closed: false,
    settings: {
      allowRecording: false,
      requireAuth: true,
      waitingRoom: false,
      allowScreenShare: true,
      muteOnEntry: false,
    },
    locked: false,
    recorderId: null,
    inviteHash: null,
    startedAt: null,
    startedBy: null,
    endedAt: null,
    endsAt: null,
    createdAt: now,
    updatedAt: now,
  });
}

export function openGroupRoom(
  dependencies: Dependencies,
): RpcHandler<typeof MeetingServiceDefinition.methods.openGroupRoom> {
  const { meetings } = dependencies;

  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const type = callTypes.find((one) => one === request.type);
    if (request.type !== undefined && !type) throw meetingInvalid('type', 'A call must be audio or video.');
    if (type) requireSwitchedOn(dependencies.installation, 'calls');
    const groupId = parseIdOrThrow<ConversationId>(request.conversationId, conversationNotFound);
    const group = await loadGroup(dependencies, groupId, actorId);
    if (!group) throw conversationNotFound();
    let meeting = await meetings.findOfGroup(groupId);
    if (!meeting) {
      // If two people start at the same moment, they meet in the room created first.
      meeting = await createRoom(dependencies, actorId, groupId, group.meta?.name ?? '').catch(
        async (error: unknown) => {
          const raced = await meetings.findOfGroup(groupId);
          if (!raced) throw error;
          return raced;
        },
      );
    }
    const membership = deriveGroupRoomMembership(group, await meetings.findMembership(meeting.id, actorId));
    // A person who cannot join a call must not make it ring.
    if (type && membership.removed) throw removedFromMeeting();
    await meetings.saveMembership(meeting.id, actorId, { role: membership.role, admitted: true });
    if (type) await startRinging(dependencies, { meetingId: meeting.id, callerId: actorId, type }, request.callees);
    return toMeetingReply(meeting, membership);
  };
}

export function getGroupCall(
  dependencies: Dependencies,
): RpcHandler<typeof MeetingServiceDefinition.methods.getGroupCall> {
  const { meetings } = dependencies;
  return async (request) => {
    const actorId = parseActorId(request.actorId ?? '');
    const groupId = parseIdOrThrow<ConversationId>(request.conversationId ?? '', conversationNotFound);
    const [group, meeting] = await Promise.all([
      loadGroup(dependencies, groupId, actorId),
      meetings.findOfGroup(groupId),
    ]);
    if (!group) throw conversationNotFound();
    if (meeting?.status !== 'live') return { meeting: undefined };
    const membership = deriveGroupRoomMembership(group, await meetings.findMembership(meeting.id, actorId));
    return { meeting: await loadMeetingReply(dependencies, meeting, membership) };
  };
}
