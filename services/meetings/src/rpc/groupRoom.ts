import { isAppError } from '@nolo/kit/errors';
import type { Conversation } from '@nolo/proto/conversation';
import type { Meeting, Part } from '../domain/meeting.ts';
import type { Dependencies } from './dependencies.ts';

type Needs = Pick<Dependencies, 'chat' | 'meetings' | 'clock'>;

/** The group as the actor sees it; undefined for who is not in it. */
export async function groupOf(
  { chat }: Pick<Dependencies, 'chat'>,
  groupId: string,
  actorId: string,
): Promise<Conversation | undefined> {
  try {
    const conversation = await chat.getConversation({ actorId, conversationId: groupId });
    return conversation.type === 'group' ? conversation : undefined;
  } catch (error) {
    if (isAppError(error) && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** Owner and admins of the group are hosts of its room, and whoever was put out of it stays out. */
export function groupPart({ myRole }: Conversation, stored: Part | undefined): Part {
  return {
    role: myRole === 'owner' || myRole === 'admin' ? 'host' : 'participant',
    admitted: true,
    removed: stored?.removed ?? false,
  };
}

/**
 * What the group allows holds in its room: it is taken over whenever somebody is let in or wants to do what may be
 * refused.
 */
export async function withGroupSettings(
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

/** The meeting with what its group, if it is a group's room, allows at this moment. */
export async function currentMeeting(dependencies: Needs, id: string, actorId: string): Promise<Meeting | undefined> {
  const meeting = await dependencies.meetings.find(id);
  if (!meeting || meeting.groupId === null) return meeting;
  const group = await groupOf(dependencies, meeting.groupId, actorId);
  return group ? withGroupSettings(dependencies, meeting, group) : undefined;
}
