import { everything, mustAllowPlatform, mustAllowSchedule } from './entitlements.ts';

const now = new Date('2026-11-23T13:00:00Z');

test('a plan of one platform takes a second account there, and no second platform', () => {
  const plan = { ...everything, platforms: 1 };
  expect(() => mustAllowPlatform(plan, ['mastodon', 'mastodon'], 'mastodon')).not.toThrow();
  expect(() => mustAllowPlatform(plan, ['mastodon'], 'bluesky')).toThrow(
    expect.objectContaining({ kind: 'plan_limited', code: 'social_limit_plan' }),
  );
});

test('posts are counted from the first of the month', async () => {
  const plan = { ...everything, scheduledPerMonth: 3 };
  const counted: Date[] = [];
  const countSince = (posts: number) => (begin: Date) => {
    counted.push(begin);
    return Promise.resolve(posts);
  };
  await mustAllowSchedule(plan, now, countSince(2));
  await expect(mustAllowSchedule(plan, now, countSince(3))).rejects.toMatchObject({ code: 'social_limit_plan' });
  expect(counted[0]?.toISOString()).toBe('2026-11-01T00:00:00.000Z');
});

test('until billing decides nothing is counted', async () => {
  await mustAllowSchedule(everything, now, () => Promise.reject(new Error('counted')));
  expect(() => mustAllowPlatform(everything, ['mastodon'], 'bluesky')).not.toThrow();
});
