import type { UserId } from '@nolo/kit/ids';
import { createPresenceBroadcaster, departureGraceMs, type PresenceBroadcasterOptions } from './presenceBroadcaster.ts';
import type { DueUserQueue } from './ports.ts';

const now = new Date('2026-11-20T12:00:00Z');
const [ada, ben, cleo] = ['ada', 'ben', 'cleo'] as [UserId, UserId, UserId];

/** Creates an in-memory store in which every user is due. */
const dueUsers = (scheduled: Map<UserId, Date>): DueUserQueue => ({
  recordLastSeen: async (userId, dueAt) => void scheduled.set(userId, dueAt),
  scheduleIfAbsent: async (userId, dueAt) => !scheduled.has(userId) && scheduled.set(userId, dueAt) === scheduled,
  cancel: async (userId) => scheduled.delete(userId),
  filterScheduled: async (userIds) => userIds.filter((userId) => scheduled.has(userId)),
  next: async () => undefined,
  take: async () => {
    const due = [...scheduled.keys()];
    scheduled.clear();
    return due;
  },
});

/**
 * Creates announcements with in-memory departures. Nobody is connected, and no account is readable unless `find`
 * overrides it.
 */
function announcing(scheduled: Map<UserId, Date>, find: () => Promise<undefined>) {
  return createPresenceBroadcaster({
    accounts: { find },
    people: { watchers: async () => [] },
    connections: { online: async () => new Set() },
    lastSeen: { recordLastSeen: async () => undefined },
    departures: dueUsers(scheduled),
    broadcasts: dueUsers(new Map()),
    changes: dueUsers(new Map()),
    frames: { send: async () => undefined },
    nextVersion: async () => 1,
    clock: { now: () => now },
  } as unknown as PresenceBroadcasterOptions);
}

const nextDueAt = new Date(now.getTime() + departureGraceMs);

test('departures that could not be announced are all announced later', async () => {
  const scheduled = new Map([ada, ben, cleo].map((userId) => [userId, now]));
  let finds = 0;
  const { broadcastDue } = announcing(scheduled, async () => {
    finds += 1;
    if (finds > 1) throw new Error('the database is away');
    return undefined;
  });
  await expect(broadcastDue()).rejects.toThrow('away');
  expect([...scheduled]).toEqual([
    [ben, nextDueAt],
    [cleo, nextDueAt],
  ]);
});

test('an arrival that is reported after the person left again keeps the grace period', async () => {
  const scheduled = new Map([[ada, now]]);
  await announcing(scheduled, async () => undefined).arrived(ada);
  expect([...scheduled]).toEqual([[ada, nextDueAt]]);
});
