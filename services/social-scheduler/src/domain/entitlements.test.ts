import { requirePlatformAllowed, requirePostingAllowed } from './entitlements.ts';

const plan = { platforms: 1, scheduledPosts: 3 };
const everything = { platforms: Infinity, scheduledPosts: Infinity };

test('a one-platform plan allows a second account there, but no second platform', () => {
  expect(() => requirePlatformAllowed(plan, ['mastodon', 'mastodon'], 'mastodon')).not.toThrow();
  expect(() => requirePlatformAllowed(plan, ['mastodon'], 'bluesky')).toThrow(
    expect.objectContaining({
      kind: 'plan_limited',
      code: 'social_limit_plan',
      details: { feature: 'platforms', limit: 1, used: 1, liftedBy: ['plus', 'business'], addOn: null },
    }),
  );
});

test('new posts go to the platforms connected first if the plan has fewer', () => {
  const connected = ['mastodon', 'mastodon', 'bluesky', 'twitter'] as const;
  expect(() => requirePostingAllowed(plan, connected, ['mastodon'])).not.toThrow();
  expect(() => requirePostingAllowed(plan, connected, ['mastodon', 'bluesky'])).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ limit: 1, used: 3 }) }),
  );
});

test('a plan without a limit allows every platform', () => {
  expect(() => requirePlatformAllowed(everything, ['mastodon', 'bluesky', 'twitter'], 'threads')).not.toThrow();
  expect(() => requirePostingAllowed(everything, ['mastodon', 'bluesky'], ['mastodon', 'bluesky'])).not.toThrow();
});
