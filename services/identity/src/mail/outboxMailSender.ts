import type { MailSender } from '../domain/securityPorts.ts';
import { postToOutbox } from '../sms/outboxSmsSender.ts';

/** Shows email on the simulators' outbox page in demo mode (decision 5). */
export function createOutboxMailSender(outboxUrl: string): MailSender {
  return { send: ({ to, subject, text }) => postToOutbox(outboxUrl, { channel: 'mail', to, subject, text }) };
}
