import type { Secret } from '@nolo/kit/config';
import { createTransport } from 'nodemailer';
import { MailRefused, type MailSender } from '../domain/securityPorts.ts';

const usualTimeoutMs = 10_000;

export interface SmtpOptions {
  /** smtp: or smtps:, with user and password where the server wants them. */
  url: Secret;
  from: string;
  /** For each of the waits: for the address, the connection, the greeting and every answer; 10 s unless set. */
  timeoutMs?: number;
}

export function createSmtpMail({ url, from, timeoutMs = usualTimeoutMs }: SmtpOptions): MailSender {
  const { protocol, hostname, port, username, password } = new URL(url.reveal());
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(username === ''
      ? {}
      : {
          auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
          // Somebody in between can take the offer of STARTTLS out of the greeting, and would be told the password.
          requireTLS: true,
        }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A text may hold what somebody else wrote, such as a User-Agent; it must lead to no file and no address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({ from, to, subject, text, headers: { 'Auto-Submitted': 'auto-generated' } });
      } catch (error) {
        // The library's own error names the recipient. Only what went wrong is passed on.
        const { code, responseCode } = error as { code?: string; responseCode?: number };
        const words = `The mail server did not take the mail (${code ?? 'no code'}, ${responseCode ?? 'no reply'}).`;
        // A refused password or a refused greeting says nothing of this mail.
        const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE';
        throw isOfMail && responseCode !== undefined && responseCode >= 500 ? new MailRefused(words) : new Error(words);
      }
    },
  };
}
