import type { IdentityConfig } from '../config.ts';
import type { MailSender } from '../domain/securityPorts.ts';
import { createOutboxMail } from './outboxMail.ts';

/** Creates the configured sender. Undefined if none is configured. */
export async function createMail(config: IdentityConfig): Promise<MailSender | undefined> {
  const { SMTP_URL: url, MAIL_FROM: from, OUTBOX_URL: outboxUrl } = config;
  if (url && from !== undefined) {
    // Loaded only if email is sent.
    const { createSmtpMail } = await import('./smtpMail.ts');
    return createSmtpMail({ url, from });
  }
  return config.NOLO_MODE === 'demo' && outboxUrl !== undefined ? createOutboxMail(outboxUrl) : undefined;
}
