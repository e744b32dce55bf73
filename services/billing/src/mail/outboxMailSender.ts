import type { MailSender } from './mail.ts';

const timeoutMs = 3_000;

/** Sends to the simulators' outbox page in demo mode; no email leaves the machine (decision 5). */
export function createOutboxMailSender(outboxUrl: string): MailSender {
  const address = new URL('/outbox/messages', outboxUrl);
  return {
    async send({ to, subject, text, attachments = [] }) {
      const names = attachments.map(({ name }) => `Attached: ${name}`);
      const answer = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ channel: 'mail', to, subject, text: [text, ...names].join('\n') }),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
      // The body must be consumed, otherwise the connection cannot be reused.
      await answer.text();
      if (!answer.ok) throw new Error(`The outbox at ${address.host} answered ${answer.status}.`);
    },
  };
}
