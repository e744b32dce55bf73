import type { IncomingMessage } from 'node:http';
import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import type { ApiGatewayConfig } from '../config.ts';
import type { GatewayMetrics } from './metrics.ts';
import type { GatewayRateLimiter } from './rateLimiter.ts';
import type { SessionAuthenticator } from './sessionAuthenticator.ts';

/** Part of the gateway's context with which requests are admitted and answered. */
export interface HttpContext {
  readonly config: ApiGatewayConfig;
  /** Origin of this server for browsers. */
  readonly publicUrl: string;
  /** Origins whose pages may use a session cookie. */
  readonly origins: ReadonlySet<string>;
  /** Returns the client address for limits. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly log: Log;
  readonly clock: Clock;
  readonly limits: GatewayRateLimiter;
  readonly sessions: SessionAuthenticator;
  readonly metrics: GatewayMetrics;
  /** True to validate every reply against its contract before sending; for tests, because it takes time. */
  readonly validateReplies: boolean;
}
