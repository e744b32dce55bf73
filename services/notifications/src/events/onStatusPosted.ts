import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import type { RpcClient } from '@nolo/kit/rpc';
import type { StatusServiceDefinition } from '@nolo/proto/status';
import { z } from 'zod';
import type { PushNotifier } from '../domain/pushNotifier.ts';
import type { PushNews, DuePush } from '../domain/push.ts';
import { eventTime } from '../domain/webhookEventRoutes.ts';

type Statuses = Pick<RpcClient<typeof StatusServiceDefinition>, 'listStatusReaders'>;

const posted = z.object({ statusId: z.uuid(), userId: z.uuid(), expiresAt: z.iso.datetime() });

/** Iterates over pages of people who may see a status update, have not seen it, and have not muted its author. */
async function* readersOf(statuses: Statuses, statusId: string): AsyncGenerator<readonly string[]> {
  let afterUserId: string | undefined;
  do {
    const page = await statuses.listStatusReaders({ statusId, afterUserId, userIds: [] });
    yield page.userIds;
    afterUserId = page.nextUserId;
  } while (afterUserId !== undefined);
}

/** Handles new status updates. A device shows only the newest of each author. */
export function onStatusPosted({ statuses, notifier }: { statuses: Statuses; notifier: PushNotifier }) {
  return async (event: ServiceEvent): Promise<void> => {
    const { statusId, userId: authorId, expiresAt } = posted.parse(event.data);
    const at = eventTime(event);
    const ttlSeconds = Math.max(0, Math.floor((Date.parse(expiresAt) - at.getTime()) / 1_000));
    if (!(await notifier.isWorthIt(at, ttlSeconds, 'statuses'))) return;
    const news: PushNews[] = [];
    for await (const userIds of readersOf(statuses, statusId)) {
      for (const userId of userIds.flatMap((id) => parseId<UserId>(id) ?? [])) {
        const about = { type: 'status', topic: `status ${authorId}`, data: { statusId, senderId: authorId } } as const;
        news.push({ userId, ...about, urgency: 'low', ttlSeconds });
      }
    }
    await notifier.notify({ eventId: event.id, at }, news);
  };
}

const statusPayload = z.object({ statusId: z.uuid() });

/** Returns whether a pending status update still exists and is unseen. */
export async function isStatusUnseen(statuses: Statuses, { body, subscription }: DuePush): Promise<boolean> {
  const { data } = statusPayload.safeParse(body);
  if (!data) return true;
  const { userIds } = await statuses.listStatusReaders({ statusId: data.statusId, userIds: [subscription.userId] });
  return userIds.length > 0;
}
