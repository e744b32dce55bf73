import { createClient } from '@nolo/kit/rpc';
import { IdentityServiceDefinition } from '@nolo/proto/identity';
import { randomPhone } from '@nolo/testing';
import { captureRefusal, demoCode, requireSelf, shareIdentity, testCallerOf, testDevice } from './startIdentity.ts';

const identity = shareIdentity();
beforeEach(() => {
  identity.smsFailure.error = undefined;
  identity.sms.splice(0);
});

const send = (phoneNumber: string) => identity.client.sendCode({ phoneNumber, device: testDevice });
const verify = (phoneNumber: string, code = demoCode) =>
  identity.client.verifyCode({ phoneNumber, code, device: testDevice, linkToUserId: '' });
/** Returns a Buenos Aires number without the leading 9 of mobile numbers. No local number there begins with 9. */
const argentine = () => `+5411${String(Math.floor(Math.random() * 8e7) + 1e7)}`;
const mobile = (phoneNumber: string) => phoneNumber.replace('+54', '+549');

const link = (phoneNumber: string, { id, sessionId }: { id: string; sessionId: string }) =>
  identity.client.verifyCode({
    phoneNumber,
    code: demoCode,
    device: testDevice,
    linkToUserId: id,
    linkSessionId: sessionId,
  });

describe('sending a code', () => {
  test('accepts a number as people type it, and answers in E.164', async () => {
    const reply = await send(' +27 (82) 555-0147 ');
    expect(reply).toEqual({ validSeconds: 600, phoneNumber: '+27825550147' });
    expect(identity.sms).toEqual([
      { to: '+27825550147', text: expect.stringContaining(`Your Nolo code is ${demoCode}.`) },
    ]);
  });

  test("uses the browser's language, or the account's chosen one", async () => {
    const ada = await identity.signUp('Ada');
    const german = { ...testDevice, language: 'de' };
    identity.sms.splice(0);
    for (const phoneNumber of [randomPhone(), ada.phoneNumber])
      await identity.client.sendCode({ phoneNumber, device: german });
    await identity.client.updateProfile({ actorId: ada.id, language: 'en' });
    await identity.client.sendCode({ phoneNumber: ada.phoneNumber, device: german });
    await identity.client.updateProfile({ actorId: ada.id, language: 'de' });
    expect(identity.sms.map(({ text }) => text.slice(0, 9))).toEqual(['Dein Nolo', 'Dein Nolo', 'Your Nolo']);
  });

  test.each(['', '0825550147', '+27 82', 'call me', '+999 123 4567', `+${'1'.repeat(60)}`])(
    'rejects %p, which is not a number',
    async (phoneNumber) => {
      expect(await captureRefusal(send(phoneNumber))).toMatchObject({
        kind: 'invalid',
        code: 'phone_number_invalid',
        message: 'Please enter a valid phone number',
      });
    },
  );

  test('answers alike for known and unknown numbers', async () => {
    const person = await identity.signUp();
    const stranger = randomPhone();
    const known = await send(person.phoneNumber);
    const unknown = await send(stranger);
    expect({ ...known, phoneNumber: '' }).toEqual({ ...unknown, phoneNumber: '' });
  });

  test('is allowed three times in ten minutes per number, and reports when the next is possible', async () => {
    const phoneNumber = randomPhone();
    for (let count = 0; count < 3; count += 1) await send(phoneNumber);
    const refused = await captureRefusal(send(phoneNumber));
    expect(refused).toMatchObject({
      kind: 'rate_limited',
      code: 'code_send_limited',
      message: 'Too many codes were requested. Try again in 10 minutes.',
      retryAfterMs: 600_000,
      details: { retryAfterSeconds: 600 },
    });
    identity.clock.advance(600_000);
    await send(phoneNumber);
  });

  test('is allowed ten times a day per number, however slowly', async () => {
    const phoneNumber = randomPhone();
    for (let count = 0; count < 10; count += 1) {
      const address = count < 5 ? testDevice.address : '192.0.2.2';
      await identity.client.sendCode({ phoneNumber, device: { ...testDevice, address } });
      identity.clock.advance(1_000_000);
    }
    expect(await captureRefusal(send(phoneNumber))).toMatchObject({ code: 'code_send_limited' });
  });

  test('counts concurrent sends', async () => {
    const phoneNumber = randomPhone();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => send(phoneNumber)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(3);
    expect(identity.sms.filter(({ to }) => to === phoneNumber)).toHaveLength(3);
  });

  test('reports a failing provider, and still counts the send', async () => {
    const phoneNumber = randomPhone();
    identity.smsFailure.error = new Error('no route');
    for (let count = 0; count < 3; count += 1) {
      expect(await captureRefusal(send(phoneNumber))).toMatchObject({ kind: 'unavailable', code: 'sms_unavailable' });
    }
    identity.smsFailure.error = undefined;
    expect(await captureRefusal(send(phoneNumber))).toMatchObject({ code: 'code_send_limited' });
  });

  test('stores no number of people without an account', async () => {
    const phoneNumber = randomPhone();
    await send(phoneNumber);
    const { rows } = await identity.db.raw(
      'select row_to_json(c)::text as code from asked_codes c union all select row_to_json(s)::text from verification_sends s',
    );
    expect(JSON.stringify(rows)).not.toContain(phoneNumber.slice(1));
  });
});

describe('checking a code', () => {
  test('creates the account the first time and finds it the second time', async () => {
    const phoneNumber = randomPhone();
    const first = await identity.signIn(phoneNumber);
    expect(first.created).toBe(true);
    expect(first.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(requireSelf(first)).toMatchObject({
      phoneNumber,
      firstName: '',
      presenceStatus: 'online',
      discoverable: false,
    });
    const second = await identity.signIn(phoneNumber);
    expect(second.created).toBe(false);
    expect(requireSelf(second).id).toBe(requireSelf(first).id);
    expect(second.token).not.toBe(first.token);
  });

  test('reports the remaining attempts, and stops after five', async () => {
    const phoneNumber = randomPhone();
    await send(phoneNumber);
    for (const [left, words] of [
      [4, '4 tries left'],
      [3, '3 tries left'],
      [2, '2 tries left'],
      [1, '1 try left'],
    ] as const) {
      expect(await captureRefusal(verify(phoneNumber, '000000'))).toMatchObject({
        kind: 'invalid',
        code: 'code_wrong',
        message: `That code is wrong. ${words}.`,
        details: { triesLeft: left },
      });
    }
    expect(await captureRefusal(verify(phoneNumber, '000000'))).toMatchObject({
      code: 'code_exhausted',
      details: { triesLeft: 0 },
    });
    expect(await captureRefusal(verify(phoneNumber))).toMatchObject({ code: 'code_exhausted' });
    await send(phoneNumber);
    await verify(phoneNumber);
  });

  test('counts a hundred concurrent wrong codes as five at most', async () => {
    const phoneNumber = randomPhone();
    await send(phoneNumber);
    const guesses = Array.from({ length: 100 }, (_, index) => verify(phoneNumber, String(index).padStart(6, '0')));
    const codes = (await Promise.all(guesses.map(captureRefusal))).map((refused) => refused.code);
    // Four learn how many attempts are left; the fifth and all later ones learn that the code is used up.
    expect(codes.filter((code) => code === 'code_wrong')).toHaveLength(4);
    expect(codes.filter((code) => code === 'code_exhausted')).toHaveLength(96);
    const [row] = await identity.db('asked_codes').orderBy('tries', 'desc').limit(1);
    expect(row.tries).toBe(5);
    expect(await captureRefusal(verify(phoneNumber))).toMatchObject({ code: 'code_exhausted' });
  });

  test('limits guesses per number to fifty a day', async () => {
    const phoneNumber = randomPhone();
    let compared = 0;
    for (let round = 0; round < 30; round += 1) {
      const sent = await send(phoneNumber).then(
        () => true,
        () => false,
      );
      for (let guess = 0; sent && guess < 6; guess += 1) {
        const { code, details } = await captureRefusal(verify(phoneNumber, '000000'));
        if (code === 'code_wrong' || (guess < 5 && (details as { triesLeft: number }).triesLeft === 0)) compared += 1;
      }
      identity.clock.advance(2_400_000);
    }
    expect(compared).toBeLessThanOrEqual(50);
  });

  test('accepts a code once', async () => {
    const phoneNumber = randomPhone();
    await identity.signIn(phoneNumber);
    expect(await captureRefusal(verify(phoneNumber))).toMatchObject({
      kind: 'invalid',
      code: 'code_expired',
      message: 'That code is no longer valid. Request a new one.',
    });
  });

  test('rejects a code after ten minutes, and one never sent', async () => {
    const phoneNumber = randomPhone();
    await send(phoneNumber);
    identity.clock.advance(600_000);
    expect(await captureRefusal(verify(phoneNumber))).toMatchObject({ code: 'code_expired' });
    expect(await captureRefusal(verify(randomPhone()))).toMatchObject({ code: 'code_expired' });
  });

  test('rejects an invalid number', async () => {
    expect(await captureRefusal(verify('12'))).toMatchObject({ code: 'phone_number_invalid' });
  });

  test('creates one account from concurrent first sign-ins', async () => {
    const phoneNumber = randomPhone();
    await send(phoneNumber);
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => verify(phoneNumber)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    // Repeats it with separate codes: the second is sent while the first is being checked.
    const other = randomPhone();
    await Promise.allSettled([identity.signIn(other), identity.signIn(other), identity.signIn(other)]);
    for (const number of [phoneNumber, other]) {
      expect(await identity.db('user_phones').where({ phone_number: number })).toHaveLength(1);
    }
    const orphans = await identity.db('users').whereNotIn('id', identity.db('user_phones').select('user_id'));
    expect(orphans).toEqual([]);
  });
});

describe('linking a number', () => {
  test('adds it to the account without a new session', async () => {
    const signedIn = await identity.client.signInWithProvider({
      issuer: 'https://id.example',
      subject: 'links-a-number',
      emailVerified: false,
      givenName: 'Lin',
      idToken: '',
      device: testDevice,
      linkToUserId: '',
    });
    const { id } = requireSelf(signedIn);
    const phoneNumber = randomPhone();
    await send(phoneNumber);
    const reply = await link(phoneNumber, { id, sessionId: signedIn.sessionId! });
    expect(reply).toMatchObject({ token: undefined, sessionId: undefined, created: false });
    expect(requireSelf(reply)).toMatchObject({ id, phoneNumber });
    expect(requireSelf(await identity.signIn(phoneNumber)).id).toBe(id);
  });

  test('rejects a number of another account, and replaces an older number', async () => {
    const [ada, ben] = [await identity.signUp(), await identity.signUp()];
    await send(ben.phoneNumber);
    expect(await captureRefusal(link(ben.phoneNumber, ada))).toMatchObject({
      kind: 'conflict',
      code: 'phone_taken',
      message: 'This number belongs to another account.',
    });
    const next = randomPhone();
    await send(next);
    expect(requireSelf(await link(next, ada)).phoneNumber).toBe(next);
    expect(requireSelf(await identity.signIn(next)).id).toBe(ada.id);
  });

  test('is idempotent, and rejects a deleted account', async () => {
    const ada = await identity.signUp();
    await send(ada.phoneNumber);
    expect(requireSelf(await link(ada.phoneNumber, ada)).id).toBe(ada.id);
    await identity.client.deleteAccount(testCallerOf(ada));
    const number = randomPhone();
    await send(number);
    expect(await captureRefusal(link(number, ada))).toMatchObject({ code: 'proof_required' });
  });
});

// A wrong secret is a deployment error, not an error of the person that the caller acts for.
test('a call without the shared secret is refused', async () => {
  const port = identity.ports.rpc;
  const outsider = createClient(IdentityServiceDefinition, `127.0.0.1:${port}`, {
    secret: 'another secret, also long',
  });
  try {
    expect(await captureRefusal(outsider.getSelf({ actorId: '' }))).toMatchObject({ kind: 'internal' });
  } finally {
    outsider.close();
  }
});

describe('numbers that can be written in two ways', () => {
  const signIn = async (phoneNumber: string) => {
    await send(phoneNumber);
    return verify(phoneNumber);
  };

  test('lead to one account, with or without the Argentine 9', async () => {
    const number = argentine();
    const made = await signIn(number);
    expect(made.self?.phoneNumber).toBe(mobile(number));
    const secondSignIn = await signIn(mobile(number));
    expect([secondSignIn.created, secondSignIn.self?.id]).toEqual([false, made.self?.id]);
    const ada = await identity.signUp('Ada');
    const contact = await identity.client.addContact({ actorId: ada.id, phoneNumber: number, userId: '' });
    expect(contact.userId).toBe(made.self?.id);
  });

  test('lead to the account that an earlier release stored without the 9', async () => {
    const number = argentine();
    const made = await signIn(number);
    const ada = await identity.signUp('Ada');
    const waiting = argentine();
    const contact = await identity.client.addContact({ actorId: ada.id, phoneNumber: waiting, userId: '' });
    await identity.db('contacts').where({ id: contact.id }).update({ phone_number: waiting });
    await identity
      .db('user_phones')
      .where({ phone_number: mobile(number) })
      .update({ phone_number: number });
    for (const typed of [number, mobile(number)]) {
      expect((await signIn(typed)).self?.id).toBe(made.self?.id);
      const { users } = await identity.client.searchUsers({ actorId: ada.id, query: typed, limit: 0 });
      expect(users.map(({ id }) => id)).toEqual([made.self?.id]);
    }
    const secondSignIn = await identity.client.addContact({
      actorId: ada.id,
      phoneNumber: mobile(waiting),
      userId: '',
    });
    expect(secondSignIn.id).toBe(contact.id);
    const later = await signIn(waiting);
    const { contacts } = await identity.client.listContacts({ actorId: ada.id, query: '', cursor: '', limit: 0 });
    expect(contacts.map(({ userId }) => userId)).toEqual([later.self?.id]);
  });

  test('become one contact once the number signs up, if a list has both', async () => {
    const ada = await identity.signUp('Ada');
    const addBoth = async (displayName?: string) => {
      const number = argentine();
      for (const phoneNumber of [number, mobile(number)]) {
        const { id } = await identity.client.addContact({ actorId: ada.id, phoneNumber: randomPhone(), userId: '' });
        // Writes the rows as an earlier release left them.
        await identity.db('contacts').where({ id }).update({ phone_number: phoneNumber });
        if (displayName !== undefined && phoneNumber === number) {
          await identity.client.updateContact({ actorId: ada.id, contactId: id, displayName });
        }
      }
      return number;
    };
    const [plain, named] = [await addBoth(), await addBoth('Mum')];
    const people = [await signIn(plain), await signIn(named)];
    const { contacts } = await identity.client.listContacts({ actorId: ada.id, query: '', cursor: '', limit: 0 });
    const kept = contacts.map(({ userId, phoneNumber, displayName }) => [userId, phoneNumber, displayName]);
    expect(kept).toHaveLength(2);
    expect(kept).toEqual(
      expect.arrayContaining([
        [people[0]?.self?.id, mobile(plain), expect.anything()],
        [people[1]?.self?.id, named, 'Mum'],
      ]),
    );
  });
});
