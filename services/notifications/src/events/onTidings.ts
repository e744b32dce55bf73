import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { DeliveryStore, WebhookStore } from '../domain/ports.ts';
import { lines, timeOf, type Heard, type Source } from '../domain/whoHears.ts';

export interface TidingsDependencies {
  readonly webhooks: Pick<WebhookStore, 'anyHears' | 'hearing'>;
  readonly deliveries: Pick<DeliveryStore<never>, 'tell'>;
  /** Rejects where it is not known; the event is tried again then. */
  readonly mayHear: (userId: UserId) => Promise<boolean>;
  /** Owner and admins of a group. */
  readonly decidersOf: (groupId: string) => Promise<readonly string[]>;
  readonly log: Log;
}

/**
 * Handlers of all events of one service that webhooks are told of. What the plan of an account does not reach is not written
 * at all; a webhook hears nothing of the time before it was made.
 */
export function onTidings(source: Source, dependencies: TidingsDependencies) {
  const { webhooks, deliveries, mayHear, decidersOf, log } = dependencies;
  const accounts = async (heard: Heard): Promise<UserId[]> => {
    const ids = 'userIds' in heard ? heard.userIds : await decidersOf(heard.decidersOf);
    return ids.flatMap((id) => parseId<UserId>(id) ?? []);
  };

  const handle = async (event: ServiceEvent, read: (data: unknown) => ReturnType<(typeof lines)[number]['read']>) => {
    const tidings = read(event.data);
    // Most of what happens concerns nobody here, and then nobody is asked anything.
    if (!tidings || !(await webhooks.anyHears(tidings.type))) return;
    const { type, data } = tidings;
    const at = timeOf(event);
    const hearing = await webhooks.hearing(await accounts(tidings.heardBy), type, at);
    const allowed = await Promise.all(hearing.map(mayHear));
    const told = hearing.filter((_, index) => allowed[index]);
    if (told.length === 0) return;
    const written = await deliveries.tell(told, { type, eventId: event.id, at, data });
    log.debug({ type, written }, 'webhooks are told of an event');
  };

  return Object.fromEntries(
    lines
      .filter((line) => line.source === source)
      .map(({ subject, read }) => [subject, (event: ServiceEvent) => handle(event, read)]),
  );
}
