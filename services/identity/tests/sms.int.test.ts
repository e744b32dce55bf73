import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '@nolo/kit/config';
import { configSchema } from '../src/config.ts';
import { createSmsSender } from '../src/sms/createSmsSender.ts';

let server: Server;
let base: string;
let answer: { status: number; body: string };
let received: { url: string; authorization: string | undefined; body: string }[];

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      received.push({ url: request.url ?? '', authorization: request.headers.authorization, body });
      // Status 0 simulates a provider that never responds.
      if (answer.status !== 0)
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  answer = { status: 201, body: '{}' };
  received = [];
});

const senderFor = (variables: Record<string, string>) =>
  createSmsSender(
    loadConfig(configSchema, {
      NOLO_MODE: 'demo',
      DATABASE_URL: 'postgres://127.0.0.1/nolo',
      REDIS_URL: 'redis://127.0.0.1',
      NATS_URL: 'nats://127.0.0.1',
      RPC_LISTEN: '127.0.0.1:0',
      RPC_SECRET: 'a secret of its own length',
      CODE_PEPPER: 'a pepper of its own length',
      CHAT_ADDR: '127.0.0.1:7000',
      FACTOR_KEYS: `first:${Buffer.alloc(32).toString('base64')}`,
      ...variables,
    }),
  );

describe('the outbox', () => {
  const sender = () => senderFor({ OUTBOX_URL: base });

  test('gets the message as JSON', async () => {
    await (await sender()).send('+27825550147', 'Your Nolo code is 123456.');
    expect(received).toHaveLength(1);
    expect(received[0]?.url).toBe('/outbox/messages');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      channel: 'sms',
      to: '+27825550147',
      text: 'Your Nolo code is 123456.',
    });
  });

  test('is not trusted if it answers with an error, or not within three seconds', async () => {
    answer.status = 500;
    await expect((await sender()).send('+27825550147', 'text')).rejects.toThrow(
      `The outbox at ${new URL(base).host} answered 500`,
    );
    answer.status = 0;
    await expect((await sender()).send('+27825550147', 'text')).rejects.toThrow();
  });
});

describe('Twilio', () => {
  const accountSid = 'AC00000000000000000000000000000000';
  const sender = () =>
    senderFor({
      SMS_PROVIDER: 'twilio',
      TWILIO_ACCOUNT_SID: accountSid,
      TWILIO_AUTH_TOKEN: 'token-token-token-token',
      TWILIO_FROM: '+15005550006',
      TWILIO_API_URL: base,
    });

  test('gets the message through its own client', async () => {
    answer.body = JSON.stringify({ sid: 'SM1', status: 'queued' });
    await (await sender()).send('+27825550147', 'Your Nolo code is 123456.');
    expect(received[0]?.url).toBe(`/2010-04-01/Accounts/${accountSid}/Messages.json`);
    expect(Buffer.from(received[0]?.authorization?.slice(6) ?? '', 'base64').toString()).toBe(
      `${accountSid}:token-token-token-token`,
    );
    expect(Object.fromEntries(new URLSearchParams(received[0]?.body))).toEqual({
      To: '+27825550147',
      From: '+15005550006',
      Body: 'Your Nolo code is 123456.',
    });
  });

  test('is quoted without number and text when it rejects a message', async () => {
    answer = { status: 400, body: JSON.stringify({ code: 21211, message: 'Invalid +27825550147', status: 400 }) };
    const refused = (await sender()).send('+27825550147', 'Your Nolo code is 123456.');
    await expect(refused).rejects.toThrow('Twilio rejected the message (status 400, code 21211).');
  });

  test('times out if it does not answer', async () => {
    answer.status = 0;
    await expect((await sender()).send('+27825550147', 'text')).rejects.toThrow('Twilio rejected the message');
  });
});
