import type { SmsSender } from '../domain/ports.ts';

const timeoutMs = 3000;

/** Demo mode: messages land in the simulators' outbox page instead of on phones (decision 5). */
export function createOutboxSms(outboxUrl: string): SmsSender {
  const address = new URL('/outbox/messages', outboxUrl);
  return {
    async send(to, text) {
      const answer = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ channel: 'sms', to, text }),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
      // Read to its end, or the connection could not be used again.
      const said = await answer.text();
      if (!answer.ok) throw new Error(`The outbox at ${address.host} answered ${answer.status}: ${said.slice(0, 200)}`);
    },
  };
}
