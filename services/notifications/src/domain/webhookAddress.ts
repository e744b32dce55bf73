import { webhookLimits } from '@nolo/rules';
import { createNotificationsError } from '../errors.ts';

const invalid = (why: string) => createNotificationsError('invalid', 'webhook_url_invalid', why);

export const webhookAddressRefused = () =>
  createNotificationsError(
    'invalid',
    'webhook_url_refused',
    'This address is not on the public internet, or uses a port other than 443.',
  );

/**
 * Parses the address of a webhook.
 *
 * @param plain true to allow http, as in demo mode
 * @throws AppError webhook_url_invalid
 */
export function parseWebhookAddress(text: string, plain: boolean): URL {
  const url = text.length <= webhookLimits.urlLength && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.hostname === '' || !/^https?:$/.test(url.protocol)) throw invalid('This is not a valid URL.');
  if (url.protocol === 'http:' && !plain) throw invalid('The URL must start with https://.');
  if (url.username !== '' || url.password !== '') throw invalid('The URL must not contain a username or password.');
  if (url.hash !== '') throw invalid('The URL must not contain a fragment.');
  return url;
}
