import type { ServiceEvent } from '@nolo/kit/events';
import type { WebhookEventType } from '@nolo/rules';
import { z } from 'zod';

/** Recipients of an event: these accounts, or a group's admins. */
export type WebhookAudience = { readonly userIds: readonly string[] } | { readonly decidersOf: string };

interface WebhookOccurrence {
  readonly type: WebhookEventType;
  readonly audience: WebhookAudience;
  readonly data: Readonly<Record<string, unknown>>;
}

export type WebhookEventSource = 'meetings' | 'chat' | 'social-scheduler' | 'status';

interface WebhookRoute {
  readonly source: WebhookEventSource;
  /** Subject in its owner's event log. */
  readonly subject: string;
  /** Returns undefined if nobody is notified. @throws if the event is malformed */
  readonly read: (data: unknown) => WebhookOccurrence | undefined;
}

function defineRoute<Payload>(
  source: WebhookEventSource,
  subject: string,
  payload: z.ZodType<Payload>,
  toOccurrence: (payload: Payload) => WebhookOccurrence | undefined,
): WebhookRoute {
  return { source, subject, read: (data) => toOccurrence(payload.parse(data)) };
}

const id = z.uuid();
const meeting = z.object({ meetingId: id, hostId: id, groupId: z.nullable(id), startedAt: z.iso.datetime() });
const endedMeeting = meeting.extend({ endedAt: z.iso.datetime(), durationSeconds: z.int() });
const membership = z.object({ conversationId: id, userId: id });

/**
 * Sole table of who receives which events. Recipients learn no more than they could see in the app, and never what was
 * written, said, or shown. `plan.changed` is missing because billing only reports that something changed (see
 * onEntitlementsChanged).
 */
export const webhookEventRoutes: readonly WebhookRoute[] = [
  // Sent to the host, who sees the meeting in their list, or to the person who started a group's call. Invitees get
  // nothing.
  defineRoute('meetings', 'event.meetings.started', meeting, ({ hostId, meetingId, groupId, startedAt }) => ({
    type: 'meeting.started',
    audience: { userIds: [hostId] },
    data: { meetingId, groupId, startedAt },
  })),
  // Sent to the recipient of the start event.
  defineRoute(
    'meetings',
    'event.meetings.ended',
    endedMeeting,
    ({ hostId, meetingId, groupId, endedAt, durationSeconds }) => ({
      type: 'meeting.ended',
      audience: { userIds: [hostId] },
      data: { meetingId, groupId, endedAt, durationSeconds },
    }),
  ),
  // Sent to those who decide about membership: the group's owner and admins at delivery time. Ordinary members get
  // nothing.
  defineRoute(
    'chat',
    'event.chat.member_joined',
    membership.extend({ role: z.string() }),
    ({ conversationId, userId, role }) => ({
      type: 'group.member_joined',
      audience: { decidersOf: conversationId },
      data: { groupId: conversationId, userId, role },
    }),
  ),
  // Sent to the recipients of join events. People who left get nothing, because they may no longer see the group.
  defineRoute(
    'chat',
    'event.chat.member_left',
    membership.extend({ reason: z.string() }),
    ({ conversationId, userId, reason }) => ({
      type: 'group.member_left',
      audience: { decidersOf: conversationId },
      data: { groupId: conversationId, userId, reason },
    }),
  ),
  // Sent to the author, whose list of posts shows it too.
  defineRoute(
    'social-scheduler',
    'event.social.post_settled',
    z.object({ postId: id, userId: id, state: z.enum(['published', 'failed', 'needs_review']) }),
    ({ postId, userId, state }) => ({
      type: state === 'published' ? 'post.published' : 'post.failed',
      audience: { userIds: [userId] },
      data: state === 'published' ? { postId } : { postId, state },
    }),
  ),
  // Sent to the author. Webhooks do not reveal to viewers who posts.
  defineRoute(
    'status',
    'event.status.posted',
    z.object({ statusId: id, userId: id, expiresAt: z.iso.datetime() }),
    ({ statusId, userId, expiresAt }) => ({
      type: 'status.posted',
      audience: { userIds: [userId] },
      data: { statusId, expiresAt },
    }),
  ),
];

/** Returns when an event was written: its ID, a version 7 UUID, begins with the time (RFC 9562, section 5.7). */
export function eventTime({ id: eventId }: Pick<ServiceEvent, 'id'>): Date {
  return new Date(Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16));
}
