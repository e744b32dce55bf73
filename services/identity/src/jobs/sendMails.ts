import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import { IdentityMailRefusedError, type MailSender, type MailQueue } from '../domain/securityPorts.ts';

const batch = 20;
/** Maximum attempts, which together with the waits span a little more than two days. */
const maxMailAttempts = 14;
const longestWaitMs = 6 * 3_600_000;

export interface SendMailsDeps {
  mails: MailQueue;
  /** Undefined if the operator configured none; pending email is then dropped. */
  sender: MailSender | undefined;
  clock: Clock;
  log: Log;
  onMail: (outcome: 'sent' | 'failed' | 'refused' | 'dropped') => void;
}

/** Sends pending email one at a time and retries what the server did not accept. Returns when the next one is due. */
export function sendMails({ mails, sender, clock, log, onMail }: SendMailsDeps): () => Promise<Date | 'nothing'> {
  return async () => {
    for (const { id, tries, ...mail } of await mails.take(clock.now(), batch)) {
      try {
        await sender?.send(mail);
        await mails.drop(id);
        onMail(sender ? 'sent' : 'dropped');
      } catch (error) {
        const isRefused = error instanceof IdentityMailRefusedError;
        onMail(isRefused ? 'refused' : 'failed');
        if (tries < maxMailAttempts && !isRefused) {
          const waitMs = Math.min(60_000 * 2 ** (tries - 1), longestWaitMs);
          await mails.postpone(id, new Date(clock.now().getTime() + waitMs));
        } else {
          log.error({ err: error, mailId: id }, 'email dropped after repeated failures');
          await mails.drop(id);
        }
      }
    }
    return (await mails.next()) ?? 'nothing';
  };
}
