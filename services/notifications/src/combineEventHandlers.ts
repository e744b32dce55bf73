import type { ServiceEvent } from '@nolo/kit/events';

type Handlers = Readonly<Record<string, (event: ServiceEvent) => Promise<void>>>;

/** Combines handlers so that both run even if one fails. The event is then retried. */
export function combineEventHandlers(first: Handlers, second: Handlers): Handlers {
  const subjects = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries(
    [...subjects].map((subject) => [
      subject,
      async (event: ServiceEvent) => {
        const [one, other] = await Promise.allSettled([first[subject]?.(event), second[subject]?.(event)]);
        for (const ended of [one, other]) if (ended.status === 'rejected') throw ended.reason;
      },
    ]),
  );
}
