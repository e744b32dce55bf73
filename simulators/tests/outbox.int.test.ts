import { request } from 'node:http';
import { accountSid, authToken, startSimulators } from './startSimulators.ts';

let simulators: Awaited<ReturnType<typeof startSimulators>>;

beforeEach(async () => {
  simulators = await startSimulators();
});

afterEach(() => simulators.stop());

const send = (body: unknown, type = 'application/json') =>
  fetch(`${simulators.url}/outbox/messages`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const list = async (query = ''): Promise<{ to: string; text: string; subject?: string }[]> =>
  ((await (await fetch(`${simulators.url}/outbox/messages${query}`)).json()) as { messages: never[] }).messages;

const text = (Fields: Record<string, string>, options: { sid?: string; token?: string } = {}) =>
  fetch(`${simulators.url}/2010-04-01/Accounts/${options.sid ?? accountSid}/Messages.json`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${accountSid}:${options.token ?? authToken}`).toString('base64')}`,
    },
    body: new URLSearchParams(Fields),
  });

test('a message is stored, listed and found by its recipient', async () => {
  expect((await send({ channel: 'sms', to: '+15551234567', text: 'Your code is 424242' })).status).toBe(201);
  expect((await send({ channel: 'mail', to: 'ada@example.com', subject: 'Hello', text: 'Two\nlines' })).status).toBe(
    201,
  );
  await expect(list()).resolves.toMatchObject([{ subject: 'Hello' }, { to: '+15551234567' }]);
  for (const to of ['%2B15551234567', '+15551234567']) await expect(list(`?to=${to}`)).resolves.toHaveLength(1);
  await expect(list('?to=ADA@example.com')).resolves.toHaveLength(1);
  await expect(list('?to=nobody')).resolves.toEqual([]);
});

test('the page shows messages as text, newest first, and also an empty outbox', async () => {
  const page = async (query = '') => (await fetch(`${simulators.url}/outbox${query}`)).text();
  await expect(page()).resolves.toContain('Nothing has been sent yet.');
  await send({ channel: 'sms', to: '+15550000001', text: 'first' });
  await send({ channel: 'mail', to: 'x@example.com', text: '<img src=x onerror=alert(1)>' });
  const markup = await page();
  expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(markup.indexOf('x@example.com')).toBeLessThan(markup.indexOf('+15550000001'));
  await expect(page('?to=%2B15550000001')).resolves.not.toContain('x@example.com');
});

test('only the last 1,000 messages are kept', async () => {
  for (let n = 0; n < 1005; n += 1) await send({ channel: 'sms', to: `+1555${n}`, text: `${n}` });
  const messages = await list('?limit=1000');
  expect(messages).toHaveLength(1000);
  expect([messages[0]!.text, messages[999]!.text]).toEqual(['1004', '5']);
});

test('an invalid message is rejected, and so is anything that a foreign form could send', async () => {
  expect((await send({ channel: 'pigeon', to: 'x', text: 'y' })).status).toBe(400);
  expect((await send('{"broken')).status).toBe(400);
  expect((await send(JSON.stringify({ channel: 'sms', to: 'x', text: 'y' }), 'text/plain')).status).toBe(400);
  expect((await send({ channel: 'sms', to: 'x', text: 'y'.repeat(300_000) })).status).toBe(413);
  expect((await fetch(`${simulators.url}/outbox/messages?limit=0`)).status).toBe(400);
  await expect(list()).resolves.toEqual([]);
});

test('a request for a foreign host name is rejected', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const clientRequest = request({
      host: '127.0.0.1',
      port: simulators.port,
      path: '/outbox',
      headers: { host: 'evil.example' },
    });
    clientRequest.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
    clientRequest.end();
  });
  expect(status).toBe(421);
});

test('a message for Twilio ends up in the outbox', async () => {
  const answer = await text({ To: '+15551234567', From: '+15005550006', Body: 'Your code is 123456' });
  expect(answer.status).toBe(201);
  await expect(answer.json()).resolves.toMatchObject({
    sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
    status: 'queued',
    to: '+15551234567',
    account_sid: accountSid,
    error_code: null,
  });
  await expect(list('?to=%2B15551234567')).resolves.toMatchObject([{ text: 'Your code is 123456' }]);
});

test.each([
  ['+15005550001', 400, 21211],
  ['+15005550002', 400, 21612],
  ['+15005550003', 400, 21408],
  ['+15005550004', 400, 21610],
  ['+15005550009', 400, 21614],
  ['+15005550029', 429, 20429],
  ['+15005550050', 503, 20503],
  ['12345', 400, 21211],
  ['', 400, 21604],
])('Twilio refuses the recipient %p with %p and code %p', async (To, status, code) => {
  const answer = await text({ To, From: '+15005550006', Body: 'x' });
  expect(answer.status).toBe(status);
  await expect(answer.json()).resolves.toMatchObject({
    code,
    status,
    message: expect.any(String),
    more_info: expect.any(String),
  });
  await expect(list()).resolves.toEqual([]);
});

test('Twilio refuses unknown callers, other accounts, and missing or unusable fields', async () => {
  const fields = { To: '+15551234567', From: '+15005550006', Body: 'x' };
  const codeOf = async (answer: Promise<Response>) => ((await (await answer).json()) as { code: number }).code;
  await expect(codeOf(text(fields, { token: 'wrong' }))).resolves.toBe(20003);
  await expect(codeOf(text(fields, { sid: `AC${'2'.repeat(32)}` }))).resolves.toBe(20404);
  await expect(codeOf(text({ ...fields, From: '' }))).resolves.toBe(21603);
  await expect(codeOf(text({ ...fields, Body: '' }))).resolves.toBe(21602);
  await expect(codeOf(text({ ...fields, Body: 'x'.repeat(1601) }))).resolves.toBe(21617);
  await expect(codeOf(text({ ...fields, From: '+15005550001' }))).resolves.toBe(21212);
});
