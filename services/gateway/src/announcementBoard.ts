import type { Announcement } from '@nolo/api';
import type { Bus } from '@nolo/kit/bus';
import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import type { Clients } from './clients.ts';
import { toAnnouncement } from './mapping/announcements.ts';

/** Caches the operators' announcements for this replica. */
export interface AnnouncementBoard {
  /** Returns the announcements shown now, without querying. */
  current(): Announcement[];
  /** Queries identity and reports changes. Rejects if identity is down and keeps the known announcements. */
  refresh(): Promise<void>;
  onChange(listener: (now: Announcement[]) => void): void;
}

const subject = 'gateway.all.announcements';

/** Listens for changes. Events may be lost while NATS is disconnected, so it also polls periodically. */
export function createAnnouncementBoard(options: {
  bus: Bus;
  announcements: Clients['announcements'];
  clock: Clock;
  log: Log;
}) {
  const { bus, announcements, clock, log } = options;
  let known: Announcement[] = [];
  const listeners: ((now: Announcement[]) => void)[] = [];
  const current = () => known.filter(({ until }) => Date.parse(until) > clock.now().getTime());

  const refresh = async () => {
    const { announcements: found } = await announcements.listCurrentAnnouncements({});
    const fresh = found.map(toAnnouncement);
    const isSame = JSON.stringify(fresh) === JSON.stringify(known);
    known = fresh;
    if (!isSame) for (const listener of listeners) listener(current());
  };
  const stop = bus.subscribe(subject, () => {
    refresh().catch((error: unknown) => log.warn({ err: error }, 'reading announcements failed'));
  });
  const board: AnnouncementBoard = { current, refresh, onChange: (listener) => void listeners.push(listener) };
  return { board, stop };
}
