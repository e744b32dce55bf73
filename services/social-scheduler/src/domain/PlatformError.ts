/** Why a platform did not do what it was asked, in words that a person understands. */
export const reasons = [
  'authentication_expired',
  'permission_missing',
  'account_suspended',
  'rate_limited',
  'duplicate',
  'media_refused',
  'media_processing',
  'text_too_long',
  'content_refused',
  'platform_down',
  'unreachable',
  'refused',
] as const;
export type Reason = (typeof reasons)[number];

/** What happens after each reason. */
const nexts = {
  authentication_expired: 'reconnect',
  permission_missing: 'reconnect',
  account_suspended: 'never',
  rate_limited: 'retry',
  duplicate: 'never',
  media_refused: 'never',
  media_processing: 'retry',
  text_too_long: 'never',
  content_refused: 'never',
  platform_down: 'retry',
  unreachable: 'retry',
  refused: 'never',
} as const satisfies Record<Reason, 'retry' | 'reconnect' | 'never'>;

interface Details {
  /** Not before then, where the platform said. */
  retryAt?: Date | undefined;
  /** The platform may have done it all the same: nobody tries again without looking. */
  mayBeDone?: boolean;
  status?: number | undefined;
  /** The platform's own code: letters, digits and few signs, so that nothing private is in it. */
  code?: string | number | undefined;
}

/** Carries codes only: what platforms write in their sentences may hold anything, tokens too. */
export class PlatformError extends Error {
  readonly reason: Reason;
  readonly retryAt: Date | undefined;
  readonly mayBeDone: boolean;
  readonly status: number | undefined;
  readonly code: string;

  constructor(reason: Reason, { retryAt, mayBeDone = false, status, code = '' }: Details = {}) {
    const safe = String(code)
      .replace(/[^\w.-]/g, '')
      .slice(0, 60);
    super(['platform', reason, status, safe].filter((part) => part !== undefined && part !== '').join(' '));
    this.name = 'PlatformError';
    this.reason = reason;
    this.retryAt = retryAt;
    this.mayBeDone = mayBeDone;
    this.status = status;
    this.code = safe;
  }

  get next(): 'retry' | 'reconnect' | 'never' {
    return nexts[this.reason];
  }
}
