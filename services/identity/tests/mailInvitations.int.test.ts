import { randomUUID } from 'node:crypto';
import { mailInvitationLimits, rateLimits } from '@nolo/rules';
import { eventually, randomPhone } from '@nolo/testing';
import { aSignInWithProviderRequest } from '@nolo/testing/protos';
import { createTestCommandLine } from './testCommandLine.ts';
import {
  testCallerOf,
  demoCode,
  testDevice,
  captureRefusal,
  startIdentity,
  type TestPerson,
  type TestIdentity,
} from './startIdentity.ts';

const publicUrl = 'https://nolo.test';
const dayMs = 86_400_000;

let identity: TestIdentity;
let opal: TestPerson;
let ada: TestPerson;
beforeAll(async () => {
  identity = await startIdentity({ PUBLIC_URL: `${publicUrl}/` });
  [opal, ada] = [await identity.signUp('Opal'), await identity.signUp('Ada')];
  await command('operators', 'add', opal.phoneNumber);
  await identity.settings.changeSetting({ ...testCallerOf(opal), name: 'registration', value: 'invited' });
  await eventually(async () => (await byPhone(randomPhone())) === 'registration_invited');
});
afterAll(() => identity.stop());
afterEach(async () => {
  await identity.db('mail_invitations').delete();
});

const command = (...argv: string[]) => createTestCommandLine(identity, publicUrl).command(...argv);
const refusedCommand = (...argv: string[]) => createTestCommandLine(identity, publicUrl).refusedCommand(...argv);
/** Renews the operator's proof, which expires when a test moves the clock. */
async function renewProof(): Promise<void> {
  const { token, sessionId } = await identity.signIn(opal.phoneNumber);
  opal = { ...opal, token, sessionId };
}
const anAddress = () => `Zoe.${randomUUID()}@Example.org`;

const outcomeOf = (attempt: Promise<{ created: boolean }>): Promise<string> =>
  attempt.then(
    ({ created }) => (created ? 'created' : 'known'),
    ({ code }: { code: string }) => code,
  );
/** Returns the outcome of a phone sign-in, optionally with an invitation token. */
async function byPhone(phoneNumber: string, invitation?: string): Promise<string> {
  await identity.client.sendCode({ phoneNumber, device: testDevice });
  return outcomeOf(identity.client.verifyCode({ phoneNumber, code: demoCode, device: testDevice, invitation }));
}
/** Returns the outcome of a sign-in through a provider that reports an address. */
const byProvider = (email: string, emailVerified = true, subject: string = randomUUID()) =>
  outcomeOf(
    identity.client.signInWithProvider(
      aSignInWithProviderRequest({ subject, email, emailVerified, device: testDevice }),
    ),
  );

const invite = (emails: string[], more: object = {}) =>
  identity.mailInvitations.inviteByMail({ ...testCallerOf(opal), emails, ...more });
const waiting = async () => (await identity.mailInvitations.listMailInvitations(testCallerOf(opal))).invitations;
/** Returns the last email to an address. */
async function lastMail(email: string) {
  await identity.runMails();
  const mail = identity.mails.findLast(({ to }) => to === email);
  const [, token = ''] = /#invitation=(\S+)/.exec(mail?.text ?? '') ?? [];
  return { token, subject: mail?.subject, text: mail?.text };
}

test('an email invitation gives an account once, through a provider that verifies the address', async () => {
  const email = anAddress();
  expect(await byProvider(email)).toBe('registration_invited');
  const { invitations, known } = await invite([` ${email}`]);
  expect([invitations, known]).toEqual([
    [
      {
        id: expect.any(String),
        email,
        sentAt: identity.clock.now(),
        expiresAt: new Date(identity.clock.now().getTime() + mailInvitationLimits.days * dayMs),
      },
    ],
    [],
  ]);
  expect(await waiting()).toEqual(invitations);
  const { subject, text, token } = await lastMail(email);
  expect([subject, text]).toEqual([
    'You’re invited to Nolo',
    expect.stringContaining(`at nolo.test invite you`) as string,
  ]);
  expect(text).toContain(`${publicUrl}/#invitation=`);

  // An unverified address grants nothing.
  expect(await byProvider(email, false)).toBe('registration_invited');
  expect(await byProvider(email.toLowerCase())).toBe('created');
  expect(await waiting()).toEqual([]);
  expect(await byProvider(email)).toBe('registration_invited');
  expect(await byPhone(randomPhone(), token)).toBe('registration_invited');
  // People with an account get no email.
  expect(await invite([email])).toEqual({ invitations: [], known: [email] });
});

test("an invited person can also sign up by phone with the link's token until it expires, in the chosen language", async () => {
  const email = anAddress();
  await invite([email], { language: 'de' });
  const first = await lastMail(email);
  expect(first.subject).toBe('Du bist zu Nolo eingeladen');
  expect(await byPhone(randomPhone(), 'nonsense')).toBe('registration_invited');
  // Sending again invalidates the previous token but keeps the invitation.
  identity.clock.advance(dayMs);
  await renewProof();
  const [before] = await waiting();
  const { invitations } = await invite([email.toUpperCase()]);
  expect(invitations[0]).toMatchObject({ id: before?.id, email: email.toUpperCase(), sentAt: identity.clock.now() });
  const second = await lastMail(email.toUpperCase());
  expect(await byPhone(randomPhone(), first.token)).toBe('registration_invited');
  const zoe = randomPhone();
  expect(await byPhone(zoe, second.token)).toBe('created');
  expect(await byPhone(zoe, second.token)).toBe('known');

  const late = anAddress();
  await invite([late]);
  const { token } = await lastMail(late);
  identity.clock.advance(mailInvitationLimits.days * dayMs);
  expect(await byPhone(randomPhone(), token)).toBe('registration_invited');
  expect(await byProvider(late)).toBe('registration_invited');
  expect(await command('invitations')).toEqual(['There are no pending invitations.']);
});

test('an invitation can be withdrawn, and each is audited without the address', async () => {
  await renewProof();
  const email = anAddress();
  const caller = testCallerOf(opal);
  const { invitations } = await identity.mailInvitations.inviteByMail({ ...caller, emails: [email] });
  const id = invitations[0]?.id ?? '';
  const { token } = await lastMail(email);
  await identity.mailInvitations.withdrawMailInvitation({ ...caller, id });
  expect(await byPhone(randomPhone(), token)).toBe('registration_invited');
  for (const gone of [id, randomUUID(), 'no id']) {
    const retry = identity.mailInvitations.withdrawMailInvitation({ ...caller, id: gone });
    expect(await captureRefusal(retry)).toMatchObject({ kind: 'not_found', code: 'mail_invitation_not_found' });
  }
  const { acts } = await identity.operators.listActs({ ...caller, limit: 2 });
  const until = invitations[0]?.expiresAt?.toISOString();
  expect(acts.map(({ action, operatorId, details }) => [action, operatorId, JSON.parse(details ?? '')])).toEqual([
    ['mail_invitation_withdrawn', opal.id, { invitation: id }],
    ['mail_invitation_sent', opal.id, { invitation: id, language: 'en', until }],
  ]);
});

test('only operators invite, list and withdraw, within limits of pending and sent invitations', async () => {
  await renewProof();
  const mine = testCallerOf(opal);
  for (const caller of [testCallerOf(ada), { actorId: ada.id, sessionId: opal.sessionId }]) {
    for (const attempt of [
      identity.mailInvitations.inviteByMail({ ...caller, emails: [anAddress()] }),
      identity.mailInvitations.inviteByMail({ ...caller, emails: ['nobody'] }),
      identity.mailInvitations.listMailInvitations(caller),
      identity.mailInvitations.withdrawMailInvitation({ ...caller, id: randomUUID() }),
      identity.mailInvitations.withdrawMailInvitation({ ...caller, id: 'no id' }),
    ]) {
      expect(await captureRefusal(attempt)).toMatchObject({ kind: 'forbidden', code: 'not_operator' });
    }
  }
  const tooMany = Array.from({ length: mailInvitationLimits.atOnce + 1 }, anAddress);
  for (const emails of [[], ['nobody'], [anAddress(), 'a@b'], tooMany]) {
    const refused = await captureRefusal(identity.mailInvitations.inviteByMail({ ...mine, emails }));
    expect(refused).toMatchObject({ kind: 'invalid', code: 'mail_address_invalid' });
  }
  await identity.db.raw(
    `insert into mail_invitations
     select gen_random_uuid(), n || '@example.org', n || '@example.org', sha256(n::text::bytea), :now, :until
     from generate_series(1, :count::int) as n`,
    {
      now: identity.clock.now(),
      until: new Date(identity.clock.now().getTime() + dayMs),
      count: mailInvitationLimits.waiting,
    },
  );
  const inviting = (emails: string[]) => identity.mailInvitations.inviteByMail({ ...mine, emails });
  expect(await captureRefusal(inviting([anAddress()]))).toMatchObject({
    kind: 'conflict',
    code: 'too_many_mail_invitations',
  });
  expect((await inviting(['1@example.org'])).invitations).toHaveLength(1);
  const page = await identity.mailInvitations.listMailInvitations({ ...mine, limit: 100 });
  const next = await identity.mailInvitations.listMailInvitations({ ...mine, limit: 100, cursor: page.nextCursor });
  expect(new Set([...page.invitations, ...next.invitations].map(({ id }) => id)).size).toBe(200);

  await identity.db('mail_invitations').delete();
  const spend = async (): Promise<string> => {
    for (let sent = 0; sent <= rateLimits.mailInvitationsPerUserDay.points; sent += mailInvitationLimits.atOnce) {
      const emails = Array.from({ length: mailInvitationLimits.atOnce }, (_, n) => `${n}@example.org`);
      const outcome = await inviting(emails).then(
        () => 'sent',
        ({ kind }: { kind: string }) => kind,
      );
      if (outcome !== 'sent') return outcome;
    }
    return 'sent';
  };
  expect(await spend()).toBe('rate_limited');
});

test('the command line invites and withdraws, and reports if no email is sent', async () => {
  const [one, two] = [anAddress(), anAddress()];
  const until = new Date(identity.clock.now().getTime() + mailInvitationLimits.days * dayMs).toISOString();
  expect(await command('invitations', 'send', `${one}, ${two}`, '--language', 'de')).toEqual([
    `${one} is invited until ${until}.`,
    `${two} is invited until ${until}.`,
  ]);
  const lines = await command('invitations', 'list');
  expect(new Set(lines.map((line) => line.split('  ')[1]))).toEqual(new Set([one, two]));
  const [id = ''] = (lines[0] ?? '').split('  ');
  expect(await command('invitations', 'withdraw', id)).toEqual(['Invitation withdrawn.']);
  expect(await refusedCommand('invitations', 'withdraw', id)).toBe('This invitation does not exist.');
  expect(await refusedCommand('invitations', 'withdraw', 'nobody')).toBe('This invitation does not exist.');
  expect(await refusedCommand('invitations', 'send', 'nobody')).toBe('nobody is not an email address.');
  expect(await refusedCommand('invitations', 'send')).toContain('Name at least one');
  expect(await createTestCommandLine(identity).refusedCommand('invitations', 'send', one)).toContain('PUBLIC_URL');
});
