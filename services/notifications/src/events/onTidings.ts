import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { DeliveryStore, WebhookStore } from '../domain/ports.ts';
import { lines, timeOf, type Heard, type Source } from '../domain/whoHears.ts';

export interface TidingsDependencies {
  readonly webhooks: Pick<WebhookStore, 'anyHears' | 'hearing'>;
  readonly deliveries: Pick<DeliveryStore<never>, 'tell'>;
  /** Rejects if the plan is unknown; the event is then retried. */
  readonly mayHear: (userId: UserId) => Promise<boolean>;
  /** Returns a group's owner and admins. */
  readonly decidersOf: (groupId: string) => Promise<readonly string[]>;
  readonly log: Log;
}

/**
 * Creates handlers for one service's events that webhooks receive. Writes nothing for accounts whose plan excludes
 * webhooks, and webhooks get no events from before their creation.
 */
export function onTidings(source: Source, dependencies: TidingsDependencies) {
  const { webhooks, deliveries, mayHear, decidersOf, log } = dependencies;
  const accounts = async (heard: Heard): Promise<UserId[]> => {
    const ids = 'userIds' in heard ? heard.userIds : await decidersOf(heard.decidersOf);
    return ids.flatMap((id) => parseId<UserId>(id) ?? []);
  };

  const handle = async (event: ServiceEvent, read: (data: unknown) => ReturnType<(typeof lines)[number]['read']>) => {
    const tidings = read(event.data);
    // Most events concern no webhook, so nothing further is queried for them.
    if (!tidings || !(await webhooks.anyHears(tidings.type))) return;
    const { type, data } = tidings;
    const at = timeOf(event);
    const hearing = await webhooks.hearing(await accounts(tidings.heardBy), type, at);
    const allowed = await Promise.all(hearing.map(mayHear));
    const told = hearing.filter((_, index) => allowed[index]);
    if (told.length === 0) return;
    const written = await deliveries.tell(told, { type, eventId: event.id, at, data });
    log.debug({ type, written }, 'event recorded for webhooks');
  };

  return Object.fromEntries(
    lines
      .filter((line) => line.source === source)
      .map(({ subject, read }) => [subject, (event: ServiceEvent) => handle(event, read)]),
  );
}
