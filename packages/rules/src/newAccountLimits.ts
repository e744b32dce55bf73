import type { RateLimit, RateLimitName } from './rateLimits.ts';

/** Stricter limits of new accounts for actions that spammers use; other accounts have those of `rateLimits`. */
export const newAccountLimits: Partial<Record<RateLimitName, RateLimit>> = {
  conversationStartsPerUserDay: { points: 40, durationSeconds: 86_400 },
  contactAddsPerUserDay: { points: 100, durationSeconds: 86_400 },
  groupCreatesPerUserDay: { points: 10, durationSeconds: 86_400 },
  groupMemberAddsPerUserDay: { points: 100, durationSeconds: 86_400 },
  mailsPerUserDay: { points: 5, durationSeconds: 86_400 },
};
