import type { MailSender } from '../domain/securityPorts.ts';
import { postToOutbox } from '../sms/outboxSms.ts';

/** Demo mode: mail lands in the simulators' outbox page (decision 5). */
export function createOutboxMail(outboxUrl: string): MailSender {
  return { send: ({ to, subject, text }) => postToOutbox(outboxUrl, { channel: 'mail', to, subject, text }) };
}
