import type { RateLimit, RateLimitName } from './limits.ts';

/** What spam is made of: of it an account that is new may do this much, where others may do what `rateLimits` says. */
export const newAccountLimits: Partial<Record<RateLimitName, RateLimit>> = {
  conversationStartsPerUserDay: { points: 40, durationSeconds: 86_400 },
  contactAddsPerUserDay: { points: 100, durationSeconds: 86_400 },
  groupCreatesPerUserDay: { points: 10, durationSeconds: 86_400 },
  groupMemberAddsPerUserDay: { points: 100, durationSeconds: 86_400 },
  mailsPerUserDay: { points: 5, durationSeconds: 86_400 },
};
