import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message, OwnKeys } from '@nolo/api';
import { createClient, type Chats, type Client } from '@nolo/client';
import { openSqliteStorage } from '@nolo/client/node/sqliteStorage';
import { connectWebSocket } from '@nolo/client/socket/webSocket';
import { eventually, signUpByPhone, TestApi, type TestUser } from '@nolo/testing';
import { must, openAcceptedConversation } from '../support/authorization/authorizationCast.ts';
import { enterMeetingBySocket } from '../support/authorization/meetingCast.ts';
import { startFirstDevice } from '../support/clients/sealedDevices.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

/** Tests packages/client in Node, against a real installation. */

const running = openSharedTestStack();
const root = join(import.meta.dirname, '../..');
let folder: string;
let ann: TestUser;
let ben: TestUser;
let conversationId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nolo-client-'));
  [ann, ben] = (await Promise.all(running.urls.map((url) => signUpByPhone(url)))) as [TestUser, TestUser];
  conversationId = await openAcceptedConversation(ann, ben);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const send = async (user: TestUser, content: string) =>
  must(await user.api.post('/api/messages', { conversationId, content }), 'A message').body as Message;
const contentsOf = async (user: TestUser) =>
  ((await user.api.get(`/api/conversations/${conversationId}/messages`)).body as Message[]).map(
    ({ content }) => content,
  );

/** Starts an example of the README as a program of someone else's, which has the package installed. */
function startExample(contains: string, args: string[], environment: Record<string, string>) {
  const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```js\n([\s\S]+?)```/g)].map(([, example = '']) => example);
  writeFileSync(join(folder, 'example.mjs'), examples.find((example) => example.includes(contains)) ?? '');
  const program = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'example.mjs', ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
  });
  const written = { output: '', errors: '' };
  program.stdout.setEncoding('utf8').on('data', (text: string) => (written.output += text));
  program.stderr.setEncoding('utf8').on('data', (text: string) => (written.errors += text));
  const untilWritten = (text: string) =>
    eventually(() => {
      if (written.errors !== '') throw new Error(written.errors);
      return written.output.includes(text);
    });
  return { program, written, untilWritten };
}

test('the examples of chats with keys and of an access token work', async () => {
  const [cat, dan] = (await Promise.all(running.urls.map((url) => signUpByPhone(url)))) as [TestUser, TestUser];
  const [url] = running.urls as [string];
  const id = await openAcceptedConversation(cat, dan);
  const other = await startFirstDevice(dan);
  await other.chats.open(id);
  const { demoCode } = (await new TestApi(url).get('/api/config')).body as { demoCode: string };
  const { program, written, untilWritten } = startExample('openSqliteStorage', [url, cat.phone, dan.id], {});
  try {
    await untilWritten('Code: ');
    program.stdin.write(`${demoCode}\n`);
    await other.reads(id, ['Hello']);
    // The program is a device of the account.
    const { newest, devices } = (await cat.api.get('/api/keys')).body as OwnKeys;
    expect(newest).toEqual({ chain: 0, n: 0 });
    expect(devices).toMatchObject([{ kind: 1 }]);
    await other.send(id, 'Good morning');
    await untilWritten(`${dan.id}: Good morning`);
    expect(written.errors).toBe('');
  } finally {
    program.kill();
    other.remove();
  }

  const made = await cat.api.post('/api/account/tokens', {
    name: 'Example',
    scopes: ['messages:read'],
    expiresInDays: 1,
  });
  const { secret } = must(made, 'A token').body as { secret: string };
  const reader = startExample('NOLO_TOKEN', [url, id], { NOLO_TOKEN: secret });
  await once(reader.program, 'exit');
  expect(reader.written.errors).toBe('');
  expect(reader.written.output).toContain(`${cat.id}: (encrypted)\n${dan.id}: (encrypted)\n`);
});

test('the example of a meeting works', async () => {
  const meeting = must(await ann.api.post('/api/meetings/create', { name: 'Standup' }), 'A meeting');
  const { roomCode } = meeting.body as { roomCode: string };
  const { program, written, untilWritten } = startExample('RoomClient', [ann.api.baseUrl, roomCode], {
    NOLO_SESSION: ann.api.token ?? '',
  });
  const exited = new Promise((resolve) => program.once('exit', resolve));
  try {
    await untilWritten('joined');
    const socket = await ben.connectSocket();
    const { participant, participants } = await enterMeetingBySocket(socket, roomCode);
    await untilWritten(`${participants[0].name} is here`);
    await untilWritten(`${participant.name} is here`);
    program.kill('SIGINT');
    const left = await socket.next('meeting_participant_left');
    expect(left.data).toMatchObject({ participantId: participants[0].id, reason: 'left' });
    expect(await exited).toBe(0);
    expect(written.errors).toBe('');
  } finally {
    program.kill();
    await ben.disconnect();
  }
});

test('an access token does not open chats, and an unknown one is refused', async () => {
  const client = createClient({ origin: ann.api.baseUrl, token: 'nolo_pat_unknown' });
  await expect(client.openChats()).rejects.toThrow('opens no socket');
  const other = createClient({ origin: ann.api.baseUrl, token: 'unknown' });
  let signedOut = 0;
  other.onSignedOut(() => (signedOut += 1));
  await expect(other.openChats()).rejects.toMatchObject({ status: 401 });
  expect(signedOut).toBe(1);
});

describe('a client with its chats in SQLite', () => {
  let client: Client;
  let chats: Chats;
  let storage: ReturnType<typeof openSqliteStorage> | undefined;
  let isNetworkUp = true;
  let received: string[] = [];
  const sockets = new Set<{ close(): void }>();

  /** Starts the program, or starts it again, with a network that the test can take away. */
  const start = async () => {
    received = [];
    client = createClient({
      origin: ann.api.baseUrl,
      token: ann.api.token ?? '',
      fetch: (input, init) =>
        isNetworkUp ? fetch(input, init) : Promise.reject(new TypeError('There is no network.')),
      connectSocket: (address, headers, handlers) => {
        const socket = connectWebSocket(isNetworkUp ? address : 'ws://127.0.0.1:9', headers, handlers);
        sockets.add(socket);
        return socket;
      },
    });
    storage = openSqliteStorage(join(folder, 'ann.sqlite'), { now: () => client.timers.now() });
    chats = await client.openChats({ storage });
    chats.onMessage(({ content }) => received.push(content));
    chats.start();
  };
  const stop = () => {
    chats?.stop();
    client?.close();
    storage?.close();
    storage = undefined;
  };
  const setNetwork = (up: boolean) => {
    isNetworkUp = up;
    if (up) chats.retryConnection();
    else for (const socket of sockets) socket.close();
  };
  const connected = () => eventually(() => chats.store.getState().connection === 'open');
  const timeline = () => chats.store.getState().timelines[conversationId];

  afterEach(stop);

  test('misses nothing while its connection is down or it does not run, and sends what it could not', async () => {
    await start();
    await chats.open(conversationId);
    await connected();
    await send(ben, 'one');
    await eventually(() => received.length === 1);

    setNetwork(false);
    await eventually(() => chats.store.getState().connection !== 'open');
    await send(ben, 'two');
    await send(ben, 'three');
    chats.send(conversationId, 'written without a network');
    await eventually(() => timeline()?.pending[0]?.state === 'waiting');
    setNetwork(true);
    await eventually(() => received.length === 3);
    expect(received).toEqual(['one', 'two', 'three']);
    await eventually(async () => (await contentsOf(ben)).at(-1) === 'written without a network');

    setNetwork(false);
    chats.send(conversationId, 'written before the end');
    await eventually(() => timeline()?.pending.length === 1);
    stop();
    await send(ben, 'four');
    await send(ben, 'five');

    // The next run begins without a network, too.
    await start();
    expect(chats.store.getState().conversations[conversationId]).toBeDefined();
    expect(timeline()?.pending.map(({ content }) => content)).toEqual(['written before the end']);
    await chats.open(conversationId);
    expect(timeline()?.messages.map(({ content }) => content)).toContain('three');
    setNetwork(true);
    await eventually(() => timeline()?.pending.length === 0);
    await eventually(() => received.length === 2);
    expect(received).toEqual(['four', 'five']);
    const stored = await contentsOf(ben);
    expect(stored.filter((content) => content.startsWith('written'))).toEqual([
      'written without a network',
      'written before the end',
    ]);
    expect(timeline()?.messages.map(({ content }) => content)).toEqual(stored);
  });

  test('refuses the storage of another account', async () => {
    await start();
    stop();
    const other = createClient({ origin: ben.api.baseUrl, token: ben.api.token ?? '' });
    storage = openSqliteStorage(join(folder, 'ann.sqlite'));
    await expect(other.openChats({ storage })).rejects.toThrow('another account');
  });
});
