import type { IdentityConfig } from '../config.ts';
import type { SmsSender } from '../domain/smsSender.ts';
import { createOutboxSmsSender } from './outboxSmsSender.ts';

/** Creates the configured sender. The configuration schema guarantees its settings. */
export async function createSmsSender(config: IdentityConfig): Promise<SmsSender> {
  if (config.SMS_PROVIDER === 'outbox') {
    if (config.OUTBOX_URL === undefined) throw new Error('OUTBOX_URL is missing.');
    return createOutboxSmsSender(config.OUTBOX_URL);
  }
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = config;
  if (!accountSid || !authToken || !from) throw new Error('The Twilio configuration is incomplete.');
  // The package is large and used only here.
  const { createTwilioSmsSender } = await import('./twilioSmsSender.ts');
  return createTwilioSmsSender({ accountSid, authToken, from, apiUrl: config.TWILIO_API_URL });
}
