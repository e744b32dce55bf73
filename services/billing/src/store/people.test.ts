import { createAppError } from '@nolo/kit/errors';
import { newId, type UserId } from '@nolo/kit/ids';
import { createPeopleDirectory } from './people.ts';

const maxUsersPerIdentityCall = 1_000;

/** Fake identity that accepts only its maximum number of people per request. */
const identity = (requestSizes: number[]): Parameters<typeof createPeopleDirectory>[0] => ({
  getSelf: () => Promise.reject(new Error('nobody asks')),
  getUsers: () => Promise.reject(new Error('nobody asks')),
  async summarizeSessions({ userIds }) {
    requestSizes.push(userIds.length);
    if (userIds.length > maxUsersPerIdentityCall)
      throw createAppError('invalid', 'invalid_request', 'These are too many at once.');
    return { summaries: userIds.map((userId) => ({ userId, devices: 2, lastUsedOn: '2026-11-25' })) };
  },
});

test.each([
  [0, []],
  [1_000, [1_000]],
  [1_001, [1_000, 1]],
  [2_500, [1_000, 1_000, 500]],
])('the sessions of %i people are fetched in as many calls as identity requires', async (count, batchSizes) => {
  const requestSizes: number[] = [];
  const ids = Array.from({ length: count }, () => newId<UserId>());
  const known = await createPeopleDirectory(identity(requestSizes)).sessionsOf(ids);
  expect(requestSizes).toEqual(batchSizes);
  expect([...(known?.keys() ?? [])]).toEqual(ids);
  expect(known?.get(ids.at(-1) ?? ids[0] ?? newId<UserId>())?.devices).toBe(count === 0 ? undefined : 2);
});

test('sessions are unknown while identity is unreachable', async () => {
  const away = {
    ...identity([]),
    summarizeSessions: () => Promise.reject(createAppError('unavailable', 'identity_unavailable', '')),
  };
  expect(await createPeopleDirectory(away).sessionsOf([newId<UserId>()])).toBeUndefined();
});
