import type { Secret } from '@nolo/kit/config';
import { createTransport } from 'nodemailer';
import { MailRefused, type MailSender } from './mail.ts';

/** For each of the waits: for the address, the connection, the greeting and every answer. */
const timeoutMs = 10_000;

/** @param options.url smtp: or smtps:, with user and password where the server wants them. */
export function createSmtpMail({ url, from }: { url: Secret; from: string }): MailSender {
  const { protocol, hostname, port, username, password } = new URL(url.reveal());
  const secure = protocol === 'smtps:';
  // Somebody in between can take the offer of STARTTLS out of the greeting, and would be told the password.
  const login = { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) }, requireTLS: true };
  const transport = createTransport({
    host: hostname,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(username === '' ? {} : login),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, attachments = [] }) {
      const files = attachments.map(({ name, type, bytes }) => ({ filename: name, contentType: type, content: bytes }));
      try {
        await transport.sendMail({
          from,
          to,
          subject,
          text,
          attachments: files,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        // The library's own error names the recipient. Only what went wrong is passed on.
        const { code, responseCode } = error as { code?: string; responseCode?: number };
        const words = `The mail server did not take the mail (${code ?? 'no code'}, ${responseCode ?? 'no reply'}).`;
        const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE';
        throw isOfMail && responseCode !== undefined && responseCode >= 500 ? new MailRefused(words) : new Error(words);
      }
    },
  };
}
