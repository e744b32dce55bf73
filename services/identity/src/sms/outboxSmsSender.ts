import { cutText } from '@nolo/rules';
import type { SmsSender } from '../domain/smsSender.ts';

const timeoutMs = 3000;

/** Messages that the simulators' outbox accepts. */
type Outgoing =
  { channel: 'sms'; to: string; text: string } | { channel: 'mail'; to: string; subject: string; text: string };

/** Sends a message to the simulators' outbox page. Messages never leave the machine. */
export async function postToOutbox(outboxUrl: string, message: Outgoing): Promise<void> {
  const address = new URL('/outbox/messages', outboxUrl);
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  });
  // The body must be read to its end, or the connection could not be reused.
  const answerText = await answer.text();
  if (!answer.ok)
    throw new Error(`The outbox at ${address.host} answered ${answer.status}: ${cutText(answerText, 200)}`);
}

/** Shows messages on the simulators' outbox page instead of sending them to phones in demo mode (decision 5). */
export function createOutboxSmsSender(outboxUrl: string): SmsSender {
  return { send: (to, text) => postToOutbox(outboxUrl, { channel: 'sms', to, text }) };
}
