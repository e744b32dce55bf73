import { randomUUID } from 'node:crypto';
import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { randomPhone, eventually } from '@nolo/testing';
import { demoCode, captureRefusal, startIdentity, type TestIdentity } from './startIdentity.ts';

// Uses production limits, because demo mode effectively disables those per address and prefix.
const production = { NOLO_MODE: 'production', SMS_PROVIDER: 'twilio', TWILIO_FROM: '+15005550006' };
const twilio = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'a token that only tests know' };

let identity: TestIdentity;
const begin = async (variables: Record<string, string> = {}) => {
  identity = await startIdentity({ ...production, ...twilio, ...variables });
};
afterEach(() => identity.stop());

interface From {
  deviceCookie?: string;
  address?: string;
}

const deviceOf = ({ deviceCookie, address = '192.0.2.1' }: From) => ({
  userAgent: 'Test browser',
  address,
  deviceCookie,
});
const send = (phoneNumber: string, from: From, challengeSolution?: string) =>
  identity.client.sendCode({ phoneNumber, device: deviceOf(from), challengeSolution });
const verify = (phoneNumber: string, from: From, code: string) =>
  identity.client.verifyCode({ phoneNumber, code, device: deviceOf(from), linkToUserId: '' });
const codeTo = (phoneNumber: string) =>
  /\d{6}/.exec(identity.sms.findLast(({ to }) => to === phoneNumber)?.text ?? '')?.[0] ?? 'none';
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const signIn = async (phoneNumber: string, from: From) => {
  await send(phoneNumber, from);
  return verify(phoneNumber, from, codeTo(phoneNumber));
};

async function solve(details: unknown): Promise<string> {
  const { challenge } = details as { challenge: Challenge };
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

describe('a code is bound to the browser that requested it', () => {
  test("other people's wrong guesses do not use it up, and it works for nobody else", async () => {
    await begin();
    const phoneNumber = randomPhone();
    const [victim, attacker] = [
      { deviceCookie: randomUUID() },
      { deviceCookie: randomUUID(), address: '198.51.100.7' },
    ];
    await send(phoneNumber, victim);
    const code = codeTo(phoneNumber);
    for (let guess = 0; guess < 6; guess += 1) {
      expect(await captureRefusal(verify(phoneNumber, attacker, wrong(code)))).toMatchObject({ code: 'code_expired' });
    }
    await send(phoneNumber, attacker);
    for (let guess = 0; guess < 6; guess += 1) await captureRefusal(verify(phoneNumber, attacker, wrong(code)));
    expect(await captureRefusal(verify(phoneNumber, attacker, code))).toMatchObject({ code: 'code_exhausted' });
    await expect(verify(phoneNumber, victim, code)).resolves.toMatchObject({ created: true });
  });

  test('a browser without a cookie is recognized by its network', async () => {
    await begin();
    const phoneNumber = randomPhone();
    await send(phoneNumber, { deviceCookie: randomUUID(), address: '203.0.113.5' });
    const code = codeTo(phoneNumber);
    expect(await captureRefusal(verify(phoneNumber, { address: '203.0.113.6' }, code))).toMatchObject({
      code: 'code_expired',
    });
    await expect(verify(phoneNumber, { address: '203.0.113.5' }, code)).resolves.toMatchObject({ created: true });
  });
});

describe('the sends per number', () => {
  test('cannot be used up for a day from one network', async () => {
    await begin();
    const phoneNumber = randomPhone();
    const attacker = { deviceCookie: randomUUID(), address: '198.51.100.8' };
    for (let count = 0; count < 5; count += 1) {
      await send(phoneNumber, attacker);
      identity.clock.advance(700_000);
    }
    expect(await captureRefusal(send(phoneNumber, attacker))).toMatchObject({ code: 'code_send_limited' });
    await expect(send(phoneNumber, { deviceCookie: randomUUID() })).resolves.toMatchObject({ phoneNumber });
  });

  test('are available to a browser that signed in before, whatever strangers did', async () => {
    await begin();
    const phoneNumber = randomPhone();
    const own = { deviceCookie: randomUUID() };
    await signIn(phoneNumber, own);
    identity.clock.advance(86_400_000);
    const strangers = ['198.51.100.1', '198.51.100.2', '198.51.100.3'];
    for (const address of strangers) await send(phoneNumber, { deviceCookie: randomUUID(), address });
    expect(await captureRefusal(send(phoneNumber, { deviceCookie: randomUUID() }))).toMatchObject({
      code: 'code_send_limited',
    });
    await send(phoneNumber, own);
    await expect(verify(phoneNumber, own, codeTo(phoneNumber))).resolves.toMatchObject({ created: false });
  });
});

describe('proof of work instead of rejection', () => {
  test('is required above the limit of an address, and is accepted once, for its number only', async () => {
    await begin();
    const from = () => ({ deviceCookie: randomUUID(), address: '198.51.100.20' });
    for (let count = 0; count < 10; count += 1) await send(randomPhone(), from());
    const [phoneNumber, other] = [randomPhone(), randomPhone()];
    const sendRefusal = await captureRefusal(send(phoneNumber, from()));
    expect(sendRefusal).toMatchObject({ kind: 'rate_limited', code: 'challenge_required' });
    const solution = await solve(sendRefusal.details);
    expect(await captureRefusal(send(other, from(), solution))).toMatchObject({ code: 'challenge_required' });
    await expect(send(phoneNumber, from(), solution)).resolves.toMatchObject({ phoneNumber });
    expect(await captureRefusal(send(phoneNumber, from(), solution))).toMatchObject({ code: 'challenge_required' });
    for (const nonsense of ['', 'x', Buffer.from('{"challenge":{"parameters":null}}').toString('base64')]) {
      expect(await captureRefusal(send(phoneNumber, from(), nonsense))).toMatchObject({ code: 'challenge_required' });
    }
  });

  test('an expired challenge is invalid', async () => {
    await begin();
    const from = { deviceCookie: randomUUID(), address: '198.51.100.21' };
    for (let count = 0; count < 10; count += 1) await send(randomPhone(), from);
    const phoneNumber = randomPhone();
    const solution = await solve((await captureRefusal(send(phoneNumber, from))).details);
    identity.clock.advance(300_000);
    expect(await captureRefusal(send(phoneNumber, from, solution))).toMatchObject({ code: 'challenge_required' });
  });

  test('a number block is never closed: neighbours solve a challenge, known browsers need none', async () => {
    await begin();
    const block = '+2782555';
    const own = { deviceCookie: randomUUID(), address: '203.0.113.99' };
    await signIn(`${block}0000`, own);
    identity.clock.advance(86_400_000);
    for (let count = 1; count < 200; count += 1) {
      const address = `198.51.${Math.floor(count / 5)}.1`;
      await send(`${block}${String(count).padStart(4, '0')}`, { deviceCookie: randomUUID(), address });
    }
    const stranger = { deviceCookie: randomUUID(), address: '203.0.113.1' };
    const sendRefusal = await captureRefusal(send(`${block}0300`, stranger));
    expect(sendRefusal).toMatchObject({ code: 'challenge_required' });
    await expect(send(`${block}0300`, stranger, await solve(sendRefusal.details))).resolves.toBeDefined();
    await expect(send(`${block}0000`, own)).resolves.toBeDefined();
  });
});

describe('the cost of text messages', () => {
  test('is limited per country and installation, with a reserve for known browsers', async () => {
    await begin({ SMS_PER_COUNTRY_DAY: '3', SMS_PER_DAY: '5' });
    const own = { deviceCookie: randomUUID(), address: '203.0.113.50' };
    const stranger = () => ({ deviceCookie: randomUUID(), address: `203.0.113.${Math.ceil(Math.random() * 40)}` });
    const southAfrican = ['+27825550001', '+27825550002', '+27825550003', '+27825550004'] as const;
    await signIn(southAfrican[0], own);
    for (const number of southAfrican.slice(1, 3)) await send(number, stranger());
    const closed = { kind: 'unavailable', code: 'sms_unavailable' };
    expect(await captureRefusal(send(southAfrican[3], stranger()))).toMatchObject(closed);
    await send('+4915112345678', stranger());
    await send('+33612345678', stranger());
    expect(await captureRefusal(send('+34612345678', stranger()))).toMatchObject(closed);
    expect(identity.sms).toHaveLength(5);
    identity.clock.advance(86_400_000);
    await expect(send(southAfrican[0], own)).resolves.toBeDefined();
  });
});

test('stored requester data contains no number, address or cookie', async () => {
  await begin();
  const phoneNumber = randomPhone();
  const from = { deviceCookie: randomUUID(), address: '203.0.113.77' };
  await signIn(phoneNumber, from);
  const { rows } = await identity.db.raw(`
    select row_to_json(c)::text as kept from asked_codes c
    union all select row_to_json(s)::text from verification_sends s
    union all select row_to_json(k)::text from known_askers k`);
  expect(rows).toHaveLength(3);
  for (const secret of [phoneNumber.slice(1), from.deviceCookie, from.address, demoCode]) {
    expect(JSON.stringify(rows)).not.toContain(secret);
  }
});

test('a deleted account leaves no known browsers of its number', async () => {
  await begin();
  const phoneNumber = randomPhone();
  const { self, sessionId } = await signIn(phoneNumber, { deviceCookie: randomUUID() });
  await identity.erase({ id: self?.id ?? '', phoneNumber, token: '', sessionId: sessionId! });
  await eventually(async () => (await identity.db('known_askers')).length === 0);
  expect(await identity.db('asked_codes')).toEqual([]);
});
