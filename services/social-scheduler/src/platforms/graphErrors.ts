import { z } from 'zod';
import {
  mapStatusToError,
  secondsFromNow,
  parseRetryAfter,
  type MapRefusalToError,
  type PlatformHttpReply,
} from './http.ts';
import { PlatformError, type PlatformErrorReason } from '../domain/PlatformError.ts';

/**
 * https://developers.facebook.com/docs/graph-api/guides/error-handling (v24.0); Instagram and Threads use the same
 * format.
 */
const refusal = z.object({
  error: z.looseObject({
    code: z.number().optional(),
    error_subcode: z.number().optional(),
    is_transient: z.boolean().optional(),
  }),
});

const codes: Readonly<Record<number, PlatformErrorReason>> = {
  1: 'platform_down',
  2: 'platform_down',
  3: 'permission_missing',
  4: 'rate_limited',
  9: 'rate_limited',
  10: 'permission_missing',
  17: 'rate_limited',
  32: 'rate_limited',
  102: 'authentication_expired',
  190: 'authentication_expired',
  324: 'media_refused',
  341: 'rate_limited',
  352: 'media_refused',
  368: 'content_refused',
  506: 'duplicate',
  613: 'rate_limited',
  /** https://developers.facebook.com/docs/instagram-platform/reference/error-codes */
  9004: 'media_refused',
  36000: 'media_refused',
  36001: 'media_refused',
  36003: 'media_refused',
  36004: 'text_too_long',
};

/** Subcodes that are more specific than their code. */
const subcodes: Readonly<Record<number, PlatformErrorReason>> = {
  /** The person must resolve something on the platform first. */
  459: 'account_suspended',
  464: 'account_suspended',
  2207003: 'media_processing',
  2207008: 'media_processing',
  2207020: 'media_refused',
  2207026: 'media_refused',
  2207027: 'media_processing',
  2207042: 'rate_limited',
  2207050: 'account_suspended',
  2207051: 'content_refused',
  2207052: 'media_refused',
};

export const mapGraphRefusalToError: MapRefusalToError = (reply) => {
  const { code, error_subcode: subcode, is_transient: transient } = refusal.safeParse(reply.body).data?.error ?? {};
  const shown = [code, subcode].filter((part) => part !== undefined).join('.');
  const reason = reasonOf(code, subcode, transient);
  if (reason === undefined) return mapStatusToError(reply, shown);
  const retryAt = reason === 'rate_limited' ? regainedAt(reply) : parseRetryAfter(reply);
  return new PlatformError(reason, { status: reply.status, code: shown, retryAt });
};

function reasonOf(code?: number, subcode?: number, transient?: boolean): PlatformErrorReason | undefined {
  if (subcode !== undefined && subcodes[subcode]) return subcodes[subcode];
  if (code === undefined) return undefined;
  if (codes[code]) return codes[code];
  if (code >= 200 && code <= 299) return 'permission_missing';
  return transient === true ? 'platform_down' : undefined;
}

const usage = z.record(
  z.string(),
  z.array(z.looseObject({ estimated_time_to_regain_access: z.number().nonnegative().optional() })),
);

/**
 * Returns when a page or account may continue, which X-Business-Use-Case-Usage states in minutes.
 * https://developers.facebook.com/docs/graph-api/overview/rate-limiting#headers-2
 */
function regainedAt(reply: PlatformHttpReply): Date | undefined {
  const header = reply.headers.get('x-business-use-case-usage');
  if (header === null) return parseRetryAfter(reply);
  try {
    const uses = Object.values(usage.parse(JSON.parse(header))).flat();
    const minutes = Math.max(0, ...uses.map(({ estimated_time_to_regain_access: some = 0 }) => some));
    return minutes === 0 ? undefined : secondsFromNow(minutes * 60, reply.at);
  } catch {
    return undefined;
  }
}
