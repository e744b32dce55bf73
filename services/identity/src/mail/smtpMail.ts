import type { Secret } from '@nolo/kit/config';
import { createTransport } from 'nodemailer';
import type { MailSender } from '../domain/securityPorts.ts';

const timeoutMs = 10_000;

export interface SmtpOptions {
  /** smtp: or smtps:, with user and password where the server wants them. */
  url: Secret;
  from: string;
}

export function createSmtpMail({ url, from }: SmtpOptions): MailSender {
  const { protocol, hostname, port, username, password } = new URL(url.reveal());
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
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
        throw new Error(`The mail server did not take the mail (${code ?? 'no code'}, ${responseCode ?? 'no reply'}).`);
      }
    },
  };
}
