import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import type { RpcClient } from '@nolo/kit/rpc';
import type { AlertServiceDefinition, ListAlertsReply } from '@nolo/proto/alerts';
import { pushLimits, pushTypes, type PushType } from '@nolo/rules';
import { z } from 'zod';
import type { PushNews, DuePush } from '../domain/push.ts';
import { eventTime } from '../domain/webhookEventRoutes.ts';
import type { PushNotifier } from '../domain/pushNotifier.ts';

type Alerts = Pick<RpcClient<typeof AlertServiceDefinition>, 'listAlerts'>;

const added = z.object({ conversationId: z.uuid(), seq: z.int(), lastSeq: z.int() });
const reacted = z.object({ conversationId: z.uuid(), seq: z.int(), userId: z.uuid() });
const { ttlSeconds } = pushLimits;

const isType = (reason: string | undefined): reason is PushType => Object.hasOwn(pushTypes, reason ?? '');

/**
 * Maps alerts to news. Messages in groups get normal urgency, so a battery-powered phone receives them when it wakes.
 */
function newsOf({ alerts, conversationType }: ListAlertsReply, conversationId: string): PushNews[] {
  return alerts.flatMap(({ userId: id, messageId, seq, senderId, reason }): PushNews[] => {
    const userId = parseId<UserId>(id);
    if (userId === undefined || !isType(reason)) return [];
    const isUrgent = reason !== 'reaction' && (reason !== 'message' || conversationType === 'direct');
    return [
      {
        userId,
        type: reason,
        topic: reason === 'reaction' ? `reaction ${conversationId}` : `chat ${conversationId}`,
        data: { conversationId, conversationType, messageId, seq, senderId },
        urgency: isUrgent ? 'high' : 'normal',
        ttlSeconds,
      },
    ];
  });
}

/** Handles messages and reactions. Chat decides who is notified. */
export function createChatPushEventHandlers({ alerts, notifier }: { alerts: Alerts; notifier: PushNotifier }) {
  const handle = async (event: ServiceEvent, buildRequest: () => Parameters<Alerts['listAlerts']>[0]) => {
    const at = eventTime(event);
    if (!(await notifier.isWorthIt(at, ttlSeconds, 'messages'))) return;
    const alertRequest = buildRequest();
    await notifier.notify(
      { eventId: event.id, at },
      newsOf(await alerts.listAlerts(alertRequest), alertRequest.conversationId ?? ''),
    );
  };
  return {
    'event.chat.messages_added': (event: ServiceEvent) =>
      handle(event, () => {
        const { conversationId, seq, lastSeq } = added.parse(event.data);
        return { conversationId, firstSeq: seq, lastSeq, userIds: [] };
      }),
    'event.chat.message_reacted': (event: ServiceEvent) =>
      handle(event, () => {
        const { conversationId, seq, userId } = reacted.parse(event.data);
        return { conversationId, firstSeq: seq, lastSeq: seq, userIds: [], reactedBy: userId };
      }),
  };
}

const place = z.object({ conversationId: z.uuid(), seq: z.int(), senderId: z.uuid() });

/**
 * Returns whether a pending push is still relevant: messages that were read on another device, deleted, or muted
 * meanwhile are not.
 */
export function createPushRelevanceCheck(alerts: Alerts) {
  return async ({ type, body, subscription }: DuePush): Promise<boolean> => {
    const { data } = place.safeParse(body);
    if (!data) return true;
    const { conversationId, seq, senderId } = data;
    const reactedBy = type === 'reaction' ? { reactedBy: senderId } : {};
    const alertRequest = { conversationId, firstSeq: seq, lastSeq: seq, userIds: [subscription.userId], ...reactedBy };
    return (await alerts.listAlerts(alertRequest)).alerts.length > 0;
  };
}
