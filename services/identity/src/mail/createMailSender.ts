import type { IdentityConfig } from '../config.ts';
import type { MailSender } from '../domain/securityPorts.ts';
import { createOutboxMailSender } from './outboxMailSender.ts';

/** Creates the configured sender. Undefined if none is configured. */
export async function createMailSender(config: IdentityConfig): Promise<MailSender | undefined> {
  const { SMTP_URL: url, MAIL_FROM: from, OUTBOX_URL: outboxUrl } = config;
  if (url && from !== undefined) {
    // Loaded only if email is sent.
    const { createSmtpMailSender } = await import('./smtpMailSender.ts');
    return createSmtpMailSender({ url, from });
  }
  return config.NOLO_MODE === 'demo' && outboxUrl !== undefined ? createOutboxMailSender(outboxUrl) : undefined;
}
