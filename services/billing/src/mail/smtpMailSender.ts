import type { Secret } from '@nolo/kit/config';
import { createTransport } from 'nodemailer';
import { BillingMailRefusedError, type MailSender } from './mail.ts';

/** Timeout of each step: name resolution, connection, greeting and every reply. */
const timeoutMs = 10_000;

/**
 * Creates an SMTP sender.
 *
 * @param options.url smtp: or smtps:, with user and password if the server requires them
 */
export function createSmtpMailSender({ url, from }: { url: Secret; from: string }): MailSender {
  const { protocol, hostname, port, username, password } = new URL(url.reveal());
  const secure = protocol === 'smtps:';
  // An attacker in the middle can remove the STARTTLS offer from the greeting and would then receive the password.
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
        // The library's error contains the recipient, so only the cause is passed on.
        const { code, responseCode } = error as { code?: string; responseCode?: number };
        const words = `The mail server did not accept the email (${code ?? 'no code'}, ${responseCode ?? 'no reply'}).`;
        const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE';
        throw isOfMail && responseCode !== undefined && responseCode >= 500
          ? new BillingMailRefusedError(words)
          : new Error(words);
      }
    },
  };
}
