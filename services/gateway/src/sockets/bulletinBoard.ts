import type { Announcement } from '@nolo/api';
import type { Bus } from '@nolo/kit/bus';
import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import type { Bulletin } from '@nolo/proto/bulletins';
import type { BulletinsClient } from '../edge.ts';
import { isoTime } from '../routes/mapPeople.ts';

/** What operators tell everybody, as this replica knows it. */
export interface BulletinBoard {
  /** What is shown now; nothing is asked for it. */
  current(): Announcement[];
  /** Asks identity; tells of a change. It fails where that is away, and what is known stays. */
  refresh(): Promise<void>;
  onChange(listener: (now: Announcement[]) => void): void;
}

const subject = 'gateway.all.bulletins';

export const toAnnouncement = ({ id = '', texts, severity, until }: Bulletin): Announcement => ({
  id,
  texts,
  severity: severity === 'warning' ? 'warning' : 'info',
  until: isoTime(until),
});

/** Listens for changes; a word may be lost while NATS is away, so somebody asks every now and then too. */
export function createBulletinBoard(options: { bus: Bus; bulletins: BulletinsClient; clock: Clock; log: Log }) {
  const { bus, bulletins, clock, log } = options;
  let known: Announcement[] = [];
  const listeners: ((now: Announcement[]) => void)[] = [];
  const current = () => known.filter(({ until }) => Date.parse(until) > clock.now().getTime());

  const refresh = async () => {
    const { bulletins: found } = await bulletins.listCurrentBulletins({});
    const fresh = found.map(toAnnouncement);
    const isSame = JSON.stringify(fresh) === JSON.stringify(known);
    known = fresh;
    if (!isSame) for (const tell of listeners) tell(current());
  };
  const stop = bus.subscribe(subject, () => {
    refresh().catch((error: unknown) => log.warn({ err: error }, 'announcements could not be asked for'));
  });
  const board: BulletinBoard = { current, refresh, onChange: (listener) => void listeners.push(listener) };
  return { board, stop };
}
