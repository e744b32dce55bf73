import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import { limits, pushLimits, pushTypes, type PushType } from '@nolo/rules';
import { z } from 'zod';
import type { PushNews, PushUrgency } from '../domain/push.ts';
import { eventTime } from '../domain/webhookEventRoutes.ts';
import type { PushNotifier } from '../domain/pushNotifier.ts';

/** People an event concerns: these accounts, or a group's admins. */
type Concerned = { readonly userIds: readonly string[] } | { readonly decidersOf: string };

interface PushOccurrence {
  readonly type: PushType;
  readonly topic: string;
  readonly concerned: Concerned;
  readonly data: Readonly<Record<string, unknown>>;
  readonly urgency?: PushUrgency;
  readonly ttlSeconds?: number;
}

interface PushRoute {
  readonly source: 'meetings' | 'chat' | 'files' | 'social-scheduler' | 'billing';
  readonly subject: string;
  /** @throws if the event is malformed */
  readonly read: (data: unknown) => PushOccurrence;
}

function defineRoute<Payload>(
  source: PushRoute['source'],
  subject: string,
  payload: z.ZodType<Payload>,
  toOccurrence: (payload: Payload) => PushOccurrence,
): PushRoute {
  return { source, subject, read: (data) => toOccurrence(payload.parse(data)) };
}

const id = z.uuid();
const ringSeconds = Math.ceil(limits.callRingMs / 1_000);
const ring = z.object({
  callId: z.string(),
  conversationId: id,
  callerId: id,
  type: z.enum(['audio', 'video']),
  userId: id,
});
const groupRing = ring.extend({ callId: id });
const aboutGroupCall = ({ callId, conversationId, callerId, type, userId }: z.infer<typeof groupRing>) => ({
  topic: `call ${callId}`,
  concerned: { userIds: [userId] },
  data: { callId, conversationId, conversationType: 'group', senderId: callerId, callType: type },
  urgency: 'high' as const,
});
const aboutCall = ({ callId, conversationId, callerId, type, userId }: z.infer<typeof ring>) => ({
  topic: `call ${callId}`,
  concerned: { userIds: [userId] },
  data: { callId, conversationId, conversationType: 'direct', senderId: callerId, callType: type },
  urgency: 'high' as const,
});

/** News other than messages. docs/notifications.md describes who receives what. */
const otherPushRoutes: readonly PushRoute[] = [
  // Expires with the call, because a later ring would be useless.
  defineRoute('meetings', 'event.meetings.call_rang', ring, (call) => ({
    ...aboutCall(call),
    type: 'call',
    ttlSeconds: ringSeconds,
  })),
  // Uses the ring's topic, so it replaces the ring wherever that is shown or not yet fetched.
  defineRoute(
    'meetings',
    'event.meetings.call_ring_ended',
    ring.extend({ state: z.string() }),
    ({ state, ...call }) => {
      const isMissed = state === 'missed' || state === 'busy';
      return {
        ...aboutCall(call),
        type: isMissed ? 'missed_call' : 'call_over',
        ttlSeconds: isMissed ? pushLimits.ttlSeconds : ringSeconds,
      };
    },
  ),
  defineRoute('meetings', 'event.meetings.group_call_rang', groupRing, (call) => ({
    ...aboutGroupCall(call),
    type: 'call',
    ttlSeconds: ringSeconds,
  })),
  defineRoute(
    'meetings',
    'event.meetings.group_call_ring_ended',
    groupRing.extend({ reason: z.string() }),
    ({ reason, ...call }) => {
      const isMissed = reason === 'missed';
      return {
        ...aboutGroupCall(call),
        type: isMissed ? 'missed_call' : 'call_over',
        ttlSeconds: isMissed ? pushLimits.ttlSeconds : ringSeconds,
      };
    },
  ),
  defineRoute('chat', 'event.chat.join_requested', z.object({ conversationId: id, userId: id }), (joinRequest) => ({
    type: 'join_request',
    topic: `requests ${joinRequest.conversationId}`,
    concerned: { decidersOf: joinRequest.conversationId },
    data: { conversationId: joinRequest.conversationId, conversationType: 'group', senderId: joinRequest.userId },
  })),
  defineRoute(
    'social-scheduler',
    'event.social.post_settled',
    z.object({ postId: id, userId: id, state: z.enum(['published', 'failed', 'needs_review']) }),
    ({ postId, userId, state }) => ({
      type: 'post',
      topic: `post ${postId}`,
      concerned: { userIds: [userId] },
      data: { postId, state },
    }),
  ),
  // People waiting in a lobby share one notification. It expires, because those who gave up waiting need no admission.
  defineRoute(
    'meetings',
    'event.meetings.lobby_waiting',
    z.object({ meetingId: id, roomCode: z.string(), hostIds: z.array(id) }),
    ({ meetingId, roomCode, hostIds }) => ({
      type: 'lobby_knock',
      topic: `lobby ${meetingId}`,
      concerned: { userIds: hostIds },
      data: { meetingId, roomCode },
      urgency: 'high',
      ttlSeconds: pushLimits.lobbyTtlSeconds,
    }),
  ),
  // Expires with the account's archive.
  defineRoute('files', 'event.files.export_ready', z.object({ userId: id, exportId: id }), ({ userId }) => ({
    type: 'export',
    topic: 'export',
    concerned: { userIds: [userId] },
    data: {},
    ttlSeconds: pushLimits.exportTtlSeconds,
  })),
  defineRoute(
    'billing',
    'event.billing.notified',
    z.object({ userId: id, about: z.enum(['receipt', 'reminder', 'grace', 'ended']), item: z.string() }),
    ({ userId, about, item }) => ({
      type: 'payment',
      topic: `payment ${item}`,
      concerned: { userIds: [userId] },
      data: { state: about, item },
    }),
  ),
];

/** Creates handlers for one service's events that people are notified of. */
export function createOtherPushEventHandlers(
  source: string,
  { notifier, decidersOf }: { notifier: PushNotifier; decidersOf: (groupId: string) => Promise<readonly string[]> },
) {
  const handle = async (event: ServiceEvent, read: PushRoute['read']) => {
    const { type, topic, concerned, data, urgency = 'normal', ttlSeconds = pushLimits.ttlSeconds } = read(event.data);
    const at = eventTime(event);
    if (!(await notifier.isWorthIt(at, ttlSeconds, pushTypes[type]))) return;
    const ids = 'userIds' in concerned ? concerned.userIds : await decidersOf(concerned.decidersOf);
    const news = ids.flatMap((one): PushNews[] => {
      const userId = parseId<UserId>(one);
      return userId === undefined ? [] : [{ userId, type, topic, data, urgency, ttlSeconds }];
    });
    await notifier.notify({ eventId: event.id, at }, news);
  };
  return Object.fromEntries(
    otherPushRoutes
      .filter((one) => one.source === source)
      .map(({ subject, read }) => [subject, (event: ServiceEvent) => handle(event, read)]),
  );
}
