/** Reasons for a platform's failure, understandable to people. */
const platformErrorReasons = [
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
export type PlatformErrorReason = (typeof platformErrorReasons)[number];

/** Next step for each reason. */
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
} as const satisfies Record<PlatformErrorReason, 'retry' | 'reconnect' | 'never'>;

interface Details {
  /** Earliest retry time, if the platform named one. */
  retryAt?: Date | undefined;
  /** True if the platform may have published anyway, so a retry must check first. */
  mayBeDone?: boolean;
  status?: number | undefined;
  /** Platform's own code: letters, digits, and few symbols, so it contains nothing private. */
  code?: string | number | undefined;
}

/** Error that carries codes only, because platforms' messages may contain anything, even tokens. */
export class PlatformError extends Error {
  readonly reason: PlatformErrorReason;
  readonly retryAt: Date | undefined;
  readonly mayBeDone: boolean;
  readonly status: number | undefined;
  readonly code: string;

  constructor(reason: PlatformErrorReason, { retryAt, mayBeDone = false, status, code = '' }: Details = {}) {
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
