import type { BillingConfig } from '../config.ts';
import type { MailSender } from './mail.ts';
import { createOutboxMailSender } from './outboxMailSender.ts';

/** Creates the configured sender. Returns undefined if none is configured. */
export async function createMailSender(config: BillingConfig): Promise<MailSender | undefined> {
  const { SMTP_URL: url, MAIL_FROM: from, OUTBOX_URL: outboxUrl } = config;
  if (url && from !== undefined) {
    // Imported only if email is sent.
    const { createSmtpMailSender } = await import('./smtpMailSender.ts');
    return createSmtpMailSender({ url, from });
  }
  return config.NOLO_MODE === 'demo' && outboxUrl !== undefined ? createOutboxMailSender(outboxUrl) : undefined;
}
