import type { UserId } from '@nolo/kit/ids';
import { createAnnouncements, graceMs, type AnnouncementsOptions } from './announcements.ts';
import type { DueUsers } from './ports.ts';

const now = new Date('2026-11-20T12:00:00Z');
const [ada, ben, cleo] = ['ada', 'ben', 'cleo'] as [UserId, UserId, UserId];

/** Creates an in-memory store in which every user is due. */
const dueUsers = (noted: Map<UserId, Date>): DueUsers => ({
  note: async (userId, dueAt) => void noted.set(userId, dueAt),
  noteFirst: async (userId, dueAt) => !noted.has(userId) && noted.set(userId, dueAt) === noted,
  cancel: async (userId) => noted.delete(userId),
  noted: async (userIds) => userIds.filter((userId) => noted.has(userId)),
  next: async () => undefined,
  take: async () => {
    const due = [...noted.keys()];
    noted.clear();
    return due;
  },
});

/**
 * Creates announcements with in-memory departures. Nobody is connected, and no account is readable unless `find`
 * overrides it.
 */
function announcing(noted: Map<UserId, Date>, find: () => Promise<undefined>) {
  return createAnnouncements({
    accounts: { find },
    people: { watchers: async () => [] },
    connections: { online: async () => new Set() },
    lastSeen: { note: async () => undefined },
    departures: dueUsers(noted),
    told: dueUsers(new Map()),
    changes: dueUsers(new Map()),
    frames: { send: async () => undefined },
    nextVersion: async () => 1,
    clock: { now: () => now },
  } as unknown as AnnouncementsOptions);
}

const dueAgain = new Date(now.getTime() + graceMs);

test('departures that could not be told are all told later', async () => {
  const noted = new Map([ada, ben, cleo].map((userId) => [userId, now]));
  let finds = 0;
  const { announceDue } = announcing(noted, async () => {
    finds += 1;
    if (finds > 1) throw new Error('the database is away');
    return undefined;
  });
  await expect(announceDue()).rejects.toThrow('away');
  expect([...noted]).toEqual([
    [ben, dueAgain],
    [cleo, dueAgain],
  ]);
});

test('an arrival that is heard of after the person left again ends no grace', async () => {
  const noted = new Map([[ada, now]]);
  await announcing(noted, async () => undefined).arrived(ada);
  expect([...noted]).toEqual([[ada, dueAgain]]);
});
