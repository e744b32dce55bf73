import type { ServiceEvent } from '@nolo/kit/events';
import type { WebhookEventType } from '@nolo/rules';
import { z } from 'zod';

/** Whose webhooks hear of something: these accounts, or who decides in a group. */
export type Heard = { readonly userIds: readonly string[] } | { readonly decidersOf: string };

export interface Tidings {
  readonly type: WebhookEventType;
  readonly heardBy: Heard;
  readonly data: Readonly<Record<string, unknown>>;
}

export type Source = 'meetings' | 'chat' | 'social-scheduler' | 'status';

interface Line {
  readonly source: Source;
  /** In the log of its owner. */
  readonly subject: string;
  /** Undefined where nobody is told. @throws where the event cannot be understood */
  readonly read: (data: unknown) => Tidings | undefined;
}

function line<Payload>(
  source: Source,
  subject: string,
  payload: z.ZodType<Payload>,
  tell: (payload: Payload) => Tidings | undefined,
): Line {
  return { source, subject, read: (data) => tell(payload.parse(data)) };
}

const id = z.uuid();
const meeting = z.object({ meetingId: id, hostId: id, groupId: z.nullable(id), startedAt: z.iso.datetime() });
const endedMeeting = meeting.extend({ endedAt: z.iso.datetime(), durationSeconds: z.int() });
const membership = z.object({ conversationId: id, userId: id });

/**
 * The one table of who hears what: nobody hears of more than they could see in the app themselves, and nobody hears what
 * was written, said or shown. `plan.changed` is not in here, because billing tells only that something changed
 * (see onEntitlementsChanged).
 */
export const lines: readonly Line[] = [
  // The host, who sees the meeting in their list; of a call in a group who began it. Nobody else who is invited.
  line('meetings', 'event.meetings.started', meeting, ({ hostId, meetingId, groupId, startedAt }) => ({
    type: 'meeting.started',
    heardBy: { userIds: [hostId] },
    data: { meetingId, groupId, startedAt },
  })),
  // The same person as of the start.
  line(
    'meetings',
    'event.meetings.ended',
    endedMeeting,
    ({ hostId, meetingId, groupId, endedAt, durationSeconds }) => ({
      type: 'meeting.ended',
      heardBy: { userIds: [hostId] },
      data: { meetingId, groupId, endedAt, durationSeconds },
    }),
  ),
  // Those who decide who is in the group: owner and admins at the time when it is told. Ordinary members hear of nobody.
  line(
    'chat',
    'event.chat.member_joined',
    membership.extend({ role: z.string() }),
    ({ conversationId, userId, role }) => ({
      type: 'group.member_joined',
      heardBy: { decidersOf: conversationId },
      data: { groupId: conversationId, userId, role },
    }),
  ),
  // The same people as of who comes. Who left hears nothing: the group is not theirs to see any more.
  line(
    'chat',
    'event.chat.member_left',
    membership.extend({ reason: z.string() }),
    ({ conversationId, userId, reason }) => ({
      type: 'group.member_left',
      heardBy: { decidersOf: conversationId },
      data: { groupId: conversationId, userId, reason },
    }),
  ),
  // The author, whose list of posts says the same.
  line(
    'social-scheduler',
    'event.social.post_settled',
    z.object({ postId: id, userId: id, state: z.enum(['published', 'failed', 'needs_review']) }),
    ({ postId, userId, state }) => ({
      type: state === 'published' ? 'post.published' : 'post.failed',
      heardBy: { userIds: [userId] },
      data: state === 'published' ? { postId } : { postId, state },
    }),
  ),
  // The author. Those who are shown it are not told by webhook who posts.
  line(
    'status',
    'event.status.posted',
    z.object({ statusId: id, userId: id, expiresAt: z.iso.datetime() }),
    ({ statusId, userId, expiresAt }) => ({
      type: 'status.posted',
      heardBy: { userIds: [userId] },
      data: { statusId, expiresAt },
    }),
  ),
];

/** When an event was written: its id, a UUID of version 7, begins with the time (RFC 9562, section 5.7). */
export function timeOf({ id: eventId }: Pick<ServiceEvent, 'id'>): Date {
  return new Date(Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16));
}
