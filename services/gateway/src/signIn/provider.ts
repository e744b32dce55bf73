import type { Log } from '@nolo/kit/log';
import type { Clock } from '@nolo/kit/clock';
import * as oidc from 'openid-client';
import type { ApiGatewayConfig } from '../config.ts';
import { createGatewayError } from '../errors.ts';

/** OpenID provider, discovered on first use. */
export interface Provider {
  readonly issuer: string;
  /** @throws AppError unavailable provider_unavailable */
  configuration(): Promise<oidc.Configuration>;
}

const timeoutSeconds = 5;
/** Delay after a failed discovery before the next attempt. Callers fail immediately in the meantime. */
const retryMs = 1_000;
/** Refresh interval. Providers rarely change endpoints and keys, but do so without notice. */
const freshMs = 3_600_000;

/**
 * Runs discovery lazily and retries after failures: the provider may start later than this server or be down for a
 * while, and neither prevents signing in by phone.
 */
export function createProvider(config: ApiGatewayConfig, log: Log, clock: Clock): Provider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  const secret = config.OIDC_CLIENT_SECRET?.reveal();
  let found: { configuration: oidc.Configuration; atMs: number } | undefined;
  let looking: Promise<oidc.Configuration> | undefined;
  let failedAtMs = Number.NEGATIVE_INFINITY;

  const discover = async (): Promise<oidc.Configuration> => {
    const insecure = issuer.startsWith('http:');
    const configuration = await oidc.discovery(
      new URL(issuer),
      clientId,
      undefined,
      secret === undefined ? oidc.None() : oidc.ClientSecretBasic(secret),
      // config.ts permits http only for the simulator of demo mode.
      { timeout: timeoutSeconds, ...(insecure ? { execute: [oidc.allowInsecureRequests] } : {}) },
    );
    configuration.timeout = timeoutSeconds;
    return configuration;
  };

  const unavailable = (cause?: unknown) =>
    createGatewayError(
      'unavailable',
      'provider_unavailable',
      'The sign-in provider cannot be reached right now.',
      undefined,
      {
        retryAfterMs: retryMs,
        cause,
      },
    );

  return {
    issuer,
    async configuration() {
      const now = clock.now().getTime();
      if (found && now - found.atMs < freshMs) return found.configuration;
      if (!looking) {
        if (now - failedAtMs < retryMs) {
          if (found) return found.configuration;
          throw unavailable();
        }
        looking = discover().finally(() => {
          looking = undefined;
        });
      }
      try {
        const configuration = await looking;
        found = { configuration, atMs: now };
        return configuration;
      } catch (error) {
        failedAtMs = now;
        // An outdated configuration is better than none.
        if (found) return found.configuration;
        log.warn({ err: error, issuer }, 'OpenID provider not reachable');
        throw unavailable(error);
      }
    },
  };
}
