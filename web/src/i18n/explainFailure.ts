import type { i18n } from 'i18next';
import { socialPlatformNames } from '@nolo/rules';
import { ApiError } from '../api/request.ts';
import { getDateFormat } from './dates.ts';

const momentOf = (time: string, locale: string) =>
  getDateFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(Date.parse(time));

/** Returns the reason of a suspension, and its end if it has one. */
function suspensionOf({ reason, until }: ApiError['details'], locale: string): Record<string, string> {
  const why = { reason: String(reason) };
  return typeof until === 'string' ? { ...why, until: momentOf(until, locale), context: 'until' } : why;
}

/**
 * Returns the values for a sentence: the numbers in an error's details (one of them as the count), a platform, and a
 * host.
 */
function valuesOf(error: ApiError, locale: string): Record<string, number | string> {
  const { details, retryAfterMs } = error;
  if (error.code === 'account_suspended') return suspensionOf(details, locale);
  if (error.code === 'new_account_limit') return { until: momentOf(String(details['until']), locale) };
  if (error.code === 'barred_host_public') return { host: `\u2066${String(details['host'])}\u2069` };
  const named: Record<string, number | string> = Object.fromEntries(
    Object.entries(details).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
  const platform = (socialPlatformNames as Record<string, string>)[String(details['platform'])];
  if (platform !== undefined) named['platform'] = platform;
  if (named['triesLeft'] !== undefined) return { ...named, count: named['triesLeft'] };
  if (retryAfterMs === undefined) return named;
  const minutes = Math.max(1, Math.ceil(retryAfterMs / 60_000));
  return minutes < 60 ? { ...named, count: minutes } : { ...named, count: Math.ceil(minutes / 60), context: 'hours' };
}

/** Returns the sentence for an error code, if there is one. */
function wordsOfCode(i18n: i18n, error: ApiError): string | undefined {
  const key = `refusals:${error.code}`;
  const values = valuesOf(error, i18n.language);
  // The key comes from the server, so its type is unknown. `exists` checks it.
  return i18n.exists(key, values) ? String(i18n.t(key as 'errors.generic', values)) : undefined;
}

/** Returns the text for an error in the user's language by its code, otherwise the server's message. */
export function explainServerError(i18n: i18n, error: ApiError): string {
  return wordsOfCode(i18n, error) ?? error.serverMessage;
}

/**
 * Explains a failure: connection lost only if no response arrived, otherwise the reason of a rejection if there is one,
 * otherwise a general text, because servers' descriptions of their own faults help nobody.
 */
export function explainFailure(i18n: i18n, error: unknown): string {
  const unexpected = i18n.t('errors.unexpected');
  if (!(error instanceof ApiError)) return unexpected;
  if (error.status === 0) return i18n.t('errors.network');
  return (
    wordsOfCode(i18n, error) ?? (error.status < 500 && error.serverMessage !== '' ? error.serverMessage : unexpected)
  );
}
