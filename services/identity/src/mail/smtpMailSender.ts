import type { Secret } from '@nolo/kit/config';
import { createTransport } from 'nodemailer';
import { IdentityMailRefusedError, type MailSender } from '../domain/securityPorts.ts';

const defaultTimeoutMs = 10_000;

export interface SmtpOptions {
  /** smtp: or smtps: URL, with user and password if the server requires them. */
  url: Secret;
  from: string;
  /** Timeout of each step: name lookup, connection, greeting, and every reply. Default: 10 s. */
  timeoutMs?: number;
}

export function createSmtpMailSender({ url, from, timeoutMs = defaultTimeoutMs }: SmtpOptions): MailSender {
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
          // An attacker in the middle can remove the STARTTLS offer from the greeting and would then receive the
          // password.
          requireTLS: true,
        }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // The text may contain untrusted input, such as a User-Agent. It must not cause access to files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({ from, to, subject, text, headers: { 'Auto-Submitted': 'auto-generated' } });
      } catch (error) {
        // The library's error names the recipient, so only the codes are passed on.
        const { code, responseCode } = error as { code?: string; responseCode?: number };
        const words = `The mail server did not accept the email (${code ?? 'no code'}, ${responseCode ?? 'no reply'}).`;
        // A refused password or greeting says nothing about this email.
        const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE';
        throw isOfMail && responseCode !== undefined && responseCode >= 500
          ? new IdentityMailRefusedError(words)
          : new Error(words);
      }
    },
  };
}
