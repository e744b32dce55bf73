import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createLog } from '@nolo/kit/log';
import { Secret } from '@nolo/kit/config';
import { createFakeClock, createSelfSignedCertificate } from '@nolo/testing';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { IdentityMailRefusedError, type OutgoingMail, type MailQueue } from '../src/domain/securityPorts.ts';
import { sendMails } from '../src/jobs/sendMails.ts';
import { createSmtpMailSender } from '../src/mail/smtpMailSender.ts';

const certificate = createSelfSignedCertificate('localhost');
const before = getCACertificates('default');
const servers: SMTPServer[] = [];

beforeAll(() => setDefaultCACertificates([...before, certificate.cert]));
afterAll(() => setDefaultCACertificates(before));
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
});

interface Taken {
  raw: string;
  secure: boolean;
  user: string | undefined;
}

const replyOf = (responseCode: number) => Object.assign(new Error('as it was asked to'), { responseCode });

/** Starts a mail server for a test and collects what it receives. */
async function listen(options: SMTPServerOptions = {}) {
  const taken: Taken[] = [];
  const commandCounts = { auth: 0, recipients: 0 };
  const server = new SMTPServer({
    ...certificate,
    authOptional: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) => {
      commandCounts.auth += 1;
      if (password === 'pass word') done(null, { user: username as string });
      else done(replyOf(535));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (part: Buffer) => chunks.push(part));
      stream.on('end', () => {
        taken.push({ raw: Buffer.concat(chunks).toString(), secure: session.secure, user: session.user || undefined });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  const at = (login = '', scheme = 'smtp', timeoutMs = 10_000) =>
    createSmtpMailSender({
      url: new Secret(`${scheme}://${login}localhost:${port}`),
      from: 'Nolo <nolo@example.org>',
      timeoutMs,
    });
  return { at, taken, asked: commandCounts };
}

const mail: OutgoingMail = { to: 'ann@example.org', subject: 'Sign-in', text: 'Somebody signed in.' };
const login = 'nolo%40example.org:pass%20word@';

test('encryption is used if the server offers it, and a password is never sent without it', async () => {
  const offering = await listen();
  await offering.at().send(mail);
  await offering.at(login).send(mail);
  expect(offering.taken.map(({ secure, user }) => [secure, user])).toEqual([
    [true, undefined],
    [true, 'nolo@example.org'],
  ]);
  const plain = await listen({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
  await plain.at().send(mail);
  expect(plain.taken.map(({ secure }) => secure)).toEqual([false]);
  await expect(plain.at(login).send(mail)).rejects.toThrow('ETLS');
  expect(plain.asked.auth).toBe(0);
  const implicit = await listen({ secure: true });
  await implicit.at(login, 'smtps').send(mail);
  expect(implicit.taken).toHaveLength(1);
});

test('a server that cannot prove its identity gets no email', async () => {
  setDefaultCACertificates(before);
  const stranger = await listen();
  await expect(stranger.at().send(mail)).rejects.toThrow('did not accept the email');
  setDefaultCACertificates([...before, certificate.cert]);
  expect(stranger.taken).toEqual([]);
});

test('long lines and other scripts arrive unchanged, within the line length of email', async () => {
  const { at, taken } = await listen();
  const subject = 'Neue Anmeldung bei Nolo – 新しいログイン, und noch sehr viel mehr, als in eine Zeile passt 🎉';
  const text = `${'lang '.repeat(500)}\n${'ü'.repeat(2_000)}\n.\nBcc: eve@example.org`;
  await at().send({ to: 'ann@example.org', subject: `${subject}\r\nBcc: eve@example.org`, text });
  const [{ raw }] = taken as [Taken];
  expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(78);
  const [head = '', body = ''] = raw.split('\r\n\r\n');
  expect(head).not.toMatch(/^Bcc:/m);
  expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
  const words = [...(/^Subject: ((?:.|\r\n )*)/m.exec(head)?.[1] ?? '').matchAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi)];
  const decoded = words.map(([, how, part = '']) =>
    how?.toUpperCase() === 'B' ? Buffer.from(part, 'base64') : unquote(part.replaceAll('_', ' ')),
  );
  expect(Buffer.concat(decoded).toString()).toContain(subject.slice(0, 40));
  const encoding = /^Content-Transfer-Encoding: (\S+)$/im.exec(head)?.[1];
  const bytes = encoding === 'base64' ? Buffer.from(body, 'base64') : unquote(body.replaceAll('=\r\n', ''));
  expect(bytes.toString().replaceAll('\r\n', '\n').trim()).toBe(text);
});

/** Decodes quoted-printable (RFC 2045 section 6.7). */
function unquote(text: string): Buffer {
  return Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

describe('an email that the server rejects', () => {
  /** Creates a queue with one email and counts how often it is sent. */
  function queued(sender: { send(mail: OutgoingMail): Promise<void> }) {
    const clock = createFakeClock();
    const outcomes: string[] = [];
    let [tries, dueAt, isThere] = [0, clock.now(), true];
    const mails: MailQueue = {
      take: async (now) => (isThere && dueAt <= now ? [{ ...mail, id: 'one', tries: (tries += 1) }] : []),
      next: async () => undefined,
      drop: async () => void (isThere = false),
      postpone: async (_, at) => void (dueAt = at),
    };
    const log = createLog({ service: 'test', level: 'silent' });
    const work = sendMails({ mails, sender, clock, log, onMail: (outcome) => void outcomes.push(outcome) });
    const run = async () => {
      for (let hours = 0; hours < 24 * 8 && isThere; hours += 1) {
        await work();
        clock.advance(3_600_000);
      }
      return outcomes;
    };
    return { run };
  }

  test.each([
    ['a recipient whom it does not know', { onRcptTo: (_a, _s, done) => done(replyOf(550)) }],
    [
      'a mail that it finds wrong',
      { onData: (stream, _s, done) => (stream.resume(), stream.on('end', () => done(replyOf(554)))) },
    ],
  ] as [string, SMTPServerOptions][])('a permanent rejection is not retried: %s', async (_, options) => {
    const { at } = await listen(options);
    const sender = at();
    await expect(sender.send(mail)).rejects.toBeInstanceOf(IdentityMailRefusedError);
    await expect(sender.send(mail)).rejects.not.toThrow('ann@example.org');
    expect(await queued(sender).run()).toEqual(['refused']);
  });

  test.each([
    ['a full mailbox', '', { onRcptTo: (_a, _s, done) => done(replyOf(452)) }],
    ['a server that has too much to do', '', { onConnect: (_s, done) => done(replyOf(421)) }],
    ['a password that is wrong', 'nolo:other@', {}],
  ] as [string, string, SMTPServerOptions][])(
    'a temporary rejection is retried, and given up in the end: %s',
    async (_, who, options) => {
      const { at } = await listen(options);
      const outcomes = await queued(at(who)).run();
      expect(outcomes).toEqual(Array<string>(14).fill('failed'));
    },
  );

  test('an unresponsive server times out', async () => {
    const { at } = await listen({ onConnect: () => undefined });
    const began = performance.now();
    const failure = await at('', 'smtp', 500)
      .send(mail)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(IdentityMailRefusedError);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test('a temporarily rejected email is sent once it is accepted', async () => {
    let left = 2;
    const { at, taken } = await listen({ onRcptTo: (_a, _s, done) => done((left -= 1) < 0 ? null : replyOf(451)) });
    expect(await queued(at()).run()).toEqual(['failed', 'failed', 'sent']);
    expect(taken).toHaveLength(1);
  });
});
