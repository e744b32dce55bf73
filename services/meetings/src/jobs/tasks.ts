import type { Clock } from '@nolo/kit/clock';
import type { PeriodicTask } from '@nolo/kit/repeat';
import type { GroupRingStore } from '../domain/groupRing.ts';
import type { GuestStore, RoomStore } from '../domain/ports.ts';
import type { LiveCalls } from '../live/LiveCalls.ts';
import type { CallTimeLimits } from '../live/CallTimeLimits.ts';
import type { LiveRooms } from '../live/LiveRooms.ts';

export interface MeetingTaskOptions {
  live: LiveRooms;
  callTime: CallTimeLimits;
  calling: LiveCalls;
  groupRings: Pick<GroupRingStore, 'first' | 'stopOlder'>;
  guests: Pick<GuestStore, 'removeExpired'>;
  rooms: Pick<RoomStore, 'msToFirst'>;
  clock: Clock;
  ringMs: number;
  /** Called when the outbox has new entries. */
  wake: () => void;
}

const ringsAtOnce = 200;

/** Less than half a lease, so an outage of Redis is noticed before leases expire that could not be renewed. */
const leasesEveryMs = 3_000;

/**
 * Interval while nobody is in a room and nothing rings. A replica where either starts is triggered at once
 * (`endQuietPeriod`).
 * Work that began in a replica that has died since may wait this long.
 */
const quietMs = 30_000;

/** Creates the periodic tasks. A replica finds the work of others already done. */
export function createMeetingTasks(options: MeetingTaskOptions): PeriodicTask[] {
  const { live, callTime, calling, groupRings, guests, rooms, clock, ringMs, wake } = options;
  /** Converts a delay, because these deadlines use Redis's own clock. */
  const first = async (of: 'leases' | 'away') => {
    const ms = await rooms.msToFirst(of);
    return ms === undefined ? undefined : new Date(clock.now().getTime() + ms);
  };
  /** Queries when the next item is due and works only then. */
  const whenDue = (next: () => Promise<Date | undefined>, work: () => Promise<void>) => async () => {
    const due = (await next()) ?? 'nothing';
    if (due === 'nothing' || due.getTime() > clock.now().getTime()) return due;
    await work();
    return next();
  };
  return [
    {
      name: 'leases',
      everyMs: leasesEveryMs,
      quietMs,
      everywhere: true,
      async run() {
        await live.sweepLeases();
        return (await first('leases')) ?? 'nothing';
      },
    },
    {
      name: 'those who stayed away',
      everyMs: 5_000,
      quietMs,
      everywhere: true,
      run: whenDue(
        () => first('away'),
        () => live.sweepAway(),
      ),
    },
    {
      name: 'time',
      everyMs: 5_000,
      quietMs,
      run: whenDue(
        () => live.nextTime(),
        () => live.sweepTime(),
      ),
    },
    {
      name: 'time of calls',
      everyMs: 5_000,
      quietMs,
      run: whenDue(
        () => callTime.next(),
        () => callTime.sweep(),
      ),
    },
    // The interval never exceeds the ring time, so every call is noticed before its timeout.
    {
      name: 'ringing',
      everyMs: Math.min(5_000, ringMs),
      quietMs,
      run: whenDue(
        () => calling.nextMissed(),
        () => calling.sweepRinging(),
      ),
    },
    {
      name: 'ringing groups',
      everyMs: Math.min(5_000, ringMs),
      quietMs,
      run: whenDue(
        async () => {
          const since = await groupRings.first();
          return since && new Date(since.getTime() + ringMs);
        },
        async () => {
          await groupRings.stopOlder(new Date(clock.now().getTime() - ringMs), ringsAtOnce);
          wake();
        },
      ),
    },
    {
      name: 'abandoned calls',
      everyMs: 5_000,
      quietMs,
      run: async () => ((await calling.sweepAbandoned()) ? undefined : 'nothing'),
    },
    {
      name: 'notes of calls',
      everyMs: 10_000,
      quietMs,
      run: async () => ((await calling.writeSystemMessages()) ? undefined : 'nothing'),
    },
    // Runs in every replica, because each remembers what it found empty last time.
    {
      name: 'empty meetings',
      everyMs: 20_000,
      quietMs: 60_000,
      everywhere: true,
      run: async () => ((await live.sweepEmpty()) ? undefined : 'nothing'),
    },
    { name: 'guests', everyMs: 600_000, run: () => guests.removeExpired(clock.now()) },
  ];
}
