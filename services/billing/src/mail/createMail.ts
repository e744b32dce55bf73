import type { BillingConfig } from '../config.ts';
import type { MailSender } from './mail.ts';
import { createOutboxMail } from './outboxMail.ts';

/** The sender that the configuration asks for; undefined where there is none. */
export async function createMail(config: BillingConfig): Promise<MailSender | undefined> {
  const { SMTP_URL: url, MAIL_FROM: from, OUTBOX_URL: outboxUrl } = config;
  if (url && from !== undefined) {
    // Only who sends mail loads it.
    const { createSmtpMail } = await import('./smtpMail.ts');
    return createSmtpMail({ url, from });
  }
  return config.NOLO_MODE === 'demo' && outboxUrl !== undefined ? createOutboxMail(outboxUrl) : undefined;
}
