/**
 * Measures sealed conversations: sending next to plain ones, opening, and a group of 500 people with 1,000 devices,
 * whose epochs one device commits and the others take in.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { routes, type Message, type OwnKeys } from '@nolo/api';
import { createClient } from '@nolo/client';
import { openSqliteStorage } from '@nolo/client/node/sqliteStorage';
import { toUuid } from '@nolo/e2ee';
import { converse, Headless, TestUser } from '@nolo/testing';
import {
  createTestBoxKeys,
  createTestDevice,
  signFirstList,
  signNextList,
  signTestClaim,
  toMessage,
  type TestDevice,
} from '@nolo/testing/keys';
import type { NewEpoch, SignedStatement } from '@nolo/proto/keys';
import { SealedDevice } from '../support/clients/sealedDevices.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { median, printLine, printTable, quantile } from './support/measure.ts';
import { createLoadPeople, type LoadPerson } from './support/people.ts';

const groupSize = Number(process.argv[2] ?? 500);
const rows = Number(process.argv[3] ?? 10_000);
const sends = 200;
const pageSize = 50;
const atOnce = 8;
/** Longer than the ten seconds after which a device appends to its vault. */
const quietMs = 13_000;
/** Devices renew their box keys weekly. */
const renewalsADay = Math.round((groupSize * 2) / 7);

const toText = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('base64url');
const toJson = ({ body, signature }: Partial<SignedStatement> = {}) => ({
  body: toText(body),
  signature: toText(signature),
});
const toEpochJson = ({ header, roster, boxes, previousSecret }: NewEpoch) => ({
  header: toJson(header),
  roster: toText(roster),
  boxes: boxes.map(({ deviceId, box }) => ({ deviceId, box: toText(box) })),
  ...(previousSecret && { previousSecret: toText(previousSecret) }),
});

async function inTurn<T, R>(things: readonly T[], work: (thing: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let index = next++; index < things.length; index = next++) results[index] = await work(things[index]!);
    }),
  );
  return results;
}

/** Waits for something, in steps of a millisecond. */
async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 120_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error('Nothing happened within two minutes.');
    await sleep(1);
  }
}

/** Opens a way to a server that counts the bytes through it. */
async function countBytes(target: string): Promise<{ url: string; received(): number }> {
  const { port } = new URL(target);
  let received = 0;
  const server = createServer((socket) => {
    const onward = connect(Number(port), '127.0.0.1');
    onward.on('data', ({ length }) => (received += length));
    for (const end of [socket, onward]) end.on('error', () => [socket, onward].forEach((one) => one.destroy()));
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port: own } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${own}`, received: () => received };
}

interface Crowd {
  readonly caller: Headless;
  readonly laptop: TestDevice;
  readonly list: Awaited<ReturnType<typeof signFirstList>>;
}

const postList = (caller: Headless, { message: { list, boxKeys, vault } }: Crowd['list']) =>
  caller.call('POST', '/api/keys/lists', {
    list: toJson(list),
    boxKeys: boxKeys.map(toJson),
    ...(vault && { vault: toEpochJson(vault) }),
  });

/** Gives a person a laptop and a phone with keys. */
async function addKeys(stack: LoadStack, { id, tokens }: LoadPerson): Promise<Crowd> {
  const [caller, atPhone] = tokens.map((token) => new Headless(stack.url, token)) as [Headless, Headless];
  const [laptop, phone] = await Promise.all([createTestDevice(id), createTestDevice(id)]);
  const first = await signFirstList(laptop);
  await postList(caller, first);
  const list = await signNextList(first.checked, laptop, { add: [phone] });
  await postList(caller, list);
  const { sessionId } = (await atPhone.call('GET', '/api/keys')).body as OwnKeys;
  const signature = toText(await signTestClaim(phone, sessionId));
  await atPhone.call('POST', `/api/keys/devices/${phone.uuid}/claim`, { signature });
  atPhone.close();
  return { caller, laptop, list };
}

async function startDevice(url: string, { id, tokens }: LoadPerson): Promise<SealedDevice> {
  const user = new TestUser({ baseUrl: url, id, phone: '', token: tokens[0] ?? '' });
  const device = await new SealedDevice(user).start();
  await until(() => device.keys.state().vault === 'open');
  return device;
}

/** Starts chats without keys, in a file like those of a device. */
async function startPlain(url: string, { tokens }: LoadPerson) {
  const folder = mkdtempSync(join(tmpdir(), 'nolo-plain-'));
  const client = createClient({ origin: url, token: tokens[0] ?? '' });
  const storage = openSqliteStorage(join(folder, 'chats.sqlite'), { now: () => client.timers.now() });
  const chats = await client.openChats({ storage });
  chats.start();
  return {
    chats,
    remove() {
      chats.stop();
      client.close();
      storage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Sender = Pick<SealedDevice, 'chats'>;

/** Sends a message, and returns the milliseconds until its acknowledgement. */
async function sendTimed({ chats }: Sender, id: string): Promise<number> {
  const began = performance.now();
  chats.send(id, 'About a line of text, as people write them.');
  await until(() => chats.store.getState().timelines[id]?.pending.length === 0);
  return performance.now() - began;
}

async function measureSends(sealed: Sender, plain: Sender, ids: readonly [string, string]) {
  const times: Record<'plain' | 'sealed', number[]> = { plain: [], sealed: [] };
  for (let count = 0; count < sends + 20; count += 1) {
    const [one, other] = [await sendTimed(plain, ids[0]), await sendTimed(sealed, ids[1])];
    // The first ones warm the compiler and caches.
    if (count < 20) continue;
    times.plain.push(one);
    times.sealed.push(other);
  }
  return times;
}

/** Stores sealed messages of one device, which another one has not seen. */
async function fill({ client, keys, user }: SealedDevice, id: string, otherId: string): Promise<void> {
  const conversation = {
    id,
    type: 'direct',
    memberIds: [user.id, otherId],
    sealedFromSeq: 1,
    hasPlainMessages: false,
  } as const;
  await inTurn(Array.from({ length: rows }), async () => {
    const clientMessageId = randomUUID();
    const result = await keys.conversations.seal({
      kind: 'message',
      conversation,
      clientMessageId,
      content: JSON.stringify({ v: 1, text: 'About a line of text, as people write them.' }),
      messageType: 'text',
      mentions: [],
      fileIds: [],
      hasLink: false,
      seen: null,
      replyTo: null,
    });
    if (result.state !== 'sealed') throw new Error(JSON.stringify(result));
    const { sealed } = result;
    const body = { conversationId: id, content: '', encryption: 'epochs', clientMessageId, sealed } as const;
    await client.call(routes.sendMessage, { body });
  });
}

/** Opens all messages of a conversation in pages, and measures each page and how long the loop stood still. */
async function measureOpening({ client, keys }: SealedDevice, id: string) {
  const stored: Message[] = [];
  for (let after = 0, more = true; more; after = stored.at(-1)?.seq ?? 0) {
    const page = await client.call(routes.listMessages, { params: { id }, query: { after, limit: 100 } });
    stored.push(...page.filter(({ encryption }) => encryption === 'epochs'));
    more = page.length === 100;
  }
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const times: number[] = [];
  let open = 0;
  delays.enable();
  for (let from = 0; from < stored.length; from += pageSize) {
    const began = performance.now();
    const opened = await keys.conversations.open(id, stored.slice(from, from + pageSize));
    times.push(performance.now() - began);
    open += opened.filter(({ state }) => state === 'open').length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  delays.disable();
  if (open !== stored.length) throw new Error(`${open} of ${stored.length} messages opened.`);
  return { times, open, longest: delays.max / 1e6, p99: delays.percentile(99) / 1e6 };
}

/** Takes in a new epoch, as at its frame, and opens a message of it. Returns both times. */
async function takeIn({ client, keys }: SealedDevice, id: string): Promise<{ ms: number; cpuMs: number }> {
  const page = await client.call(routes.listMessages, { params: { id }, query: { limit: 1 } });
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  await new Promise<void>((resolve) => {
    const end = keys.conversations.subscribe(() => (end(), resolve()));
    keys.conversations.onFrame({ type: 'epochs_changed', data: { conversationId: id } });
  });
  const [opened] = await keys.conversations.open(id, page);
  const { user, system } = process.cpuUsage(cpu);
  if (opened?.state !== 'open') throw new Error(`The message is ${JSON.stringify(opened)}.`);
  return { ms: performance.now() - began, cpuMs: (user + system) / 1_000 };
}

/** Waits until a device has asked for nothing for longer than anything that it still plans. */
async function settled({ requests }: SealedDevice): Promise<void> {
  for (let known = -1; known !== requests.length;) {
    known = requests.length;
    await sleep(quietMs);
  }
}

async function openGroup(owner: SealedDevice, other: SealedDevice, memberIds: readonly string[]): Promise<string> {
  const body = { name: 'Everybody', memberIds: [...memberIds] };
  const { id } = await owner.client.call(routes.createGroup, { body });
  for (const device of [owner, other]) await device.chats.open(id);
  return id;
}

/** Lets a day pass: every seventh device renews its keys, five people add a device, and two leave. */
async function liveADay(crowd: readonly Crowd[], group: string): Promise<void> {
  for (const { caller, laptop } of crowd.slice(0, renewalsADay)) {
    const boxKeys = toJson(toMessage(await createTestBoxKeys(laptop, { number: 1 })));
    await caller.call('PUT', '/api/keys/box-keys', { boxKeys });
  }
  for (const { caller, laptop, list } of crowd.slice(0, 5)) {
    const tablet = await createTestDevice(toUuid(laptop.account));
    await postList(caller, await signNextList(list.checked, laptop, { add: [tablet] }));
  }
  for (const { caller } of crowd.slice(5, 7)) await caller.call('POST', `/api/group-chats/${group}/leave`);
}

async function measureGroup(stack: LoadStack, people: readonly LoadPerson[], owner: SealedDevice) {
  const counted = await countBytes(stack.url);
  const [first, second, ...rest] = people as [LoadPerson, LoadPerson, ...LoadPerson[]];
  const other = await startDevice(counted.url, first);
  // Takes epochs in only when it is told to.
  const taker = await startDevice(stack.url, second);
  taker.chats.stop();
  const crowd = await inTurn(rest, (person) => addKeys(stack, person));
  const group = await openGroup(
    owner,
    other,
    [first, second, ...rest].map(({ id }) => id),
  );
  const newestOf = ({ chats }: SealedDevice) => chats.store.getState().timelines[group]?.messages.at(-1);
  const epochOf = (device: SealedDevice) => newestOf(device)?.seal?.epoch;

  printLine(`${people.length + 1} people have keys and are in a group`);
  const firstMs = await sendTimed(owner, group);
  printLine(`first epoch: ${firstMs.toFixed(0)} ms`);
  await until(() => epochOf(other) === 0);
  // Everybody has two devices, except those whose program runs here.
  const devices = 2 * groupSize - 3;
  const { ms: joinMs } = await takeIn(taker, group);
  // The committer has everything that it fetched for the first one.
  const removals = crowd.splice(-4);
  const commits: number[] = [];
  const takes: Awaited<ReturnType<typeof takeIn>>[] = [];
  for (const { caller } of removals) {
    await caller.call('POST', `/api/group-chats/${group}/leave`);
    commits.push(await sendTimed(owner, group));
    await until(() => newestOf(other)?.id === newestOf(owner)?.id);
    takes.push(await takeIn(taker, group));
    printLine(`next epoch: ${commits.at(-1)?.toFixed(0)} ms; another device: ${takes.at(-1)?.ms.toFixed(0)} ms`);
  }

  await settled(other);
  const requested = other.requests.length;
  const before = counted.received();
  await liveADay(crowd, group);
  await sendTimed(owner, group);
  await until(() => newestOf(other)?.id === newestOf(owner)?.id);
  await settled(other);
  const day = counted.received() - before;
  const requests = other.requests.length - requested;
  for (const { caller } of [...crowd, ...removals]) caller.close();
  for (const device of [other, taker]) device.remove();
  return { firstMs, joinMs, commits, takes, day, requests, devices };
}

async function measure(stack: LoadStack): Promise<void> {
  const people = await createLoadPeople(stack, groupSize + 3, 2);
  const restore = await stack.liftLimits(people.map(({ id }) => id));
  const [ann, ben, cem, dea, ...others] = people as [LoadPerson, LoadPerson, LoadPerson, LoadPerson, ...LoadPerson[]];
  const sealed = await startDevice(stack.url, ann);
  const reader = await startDevice(stack.url, ben);
  const plain = await startPlain(stack.url, cem);
  const callerOf = ({ id, tokens }: LoadPerson) => ({ id, api: new Headless(stack.url, tokens[0] ?? '') });
  const idOf = async (one: LoadPerson, another: LoadPerson) =>
    (await converse(callerOf(one), callerOf(another))).id as string;
  const ids = [await idOf(cem, dea), await idOf(ann, ben)] as const;
  await plain.chats.open(ids[0]);
  await sealed.chats.open(ids[1]);

  const times = await measureSends(sealed, plain, ids);
  printLine(`sent: plain p50 ${median(times.plain).toFixed(1)} ms, sealed p50 ${median(times.sealed).toFixed(1)} ms`);
  await fill(sealed, ids[1], ben.id);
  const opening = await measureOpening(reader, ids[1]);
  printLine(`opened: ${opening.open} messages, a page p50 ${median(opening.times).toFixed(1)} ms`);
  const group = await measureGroup(stack, others, sealed);
  const row = (name: string, all: readonly number[], limit: string) => [
    name,
    median([...all]),
    quantile([...all], 0.95),
    limit,
  ];
  printTable(
    ['work', 'p50 ms', 'p95 ms', 'limit ms'],
    [
      row('send, plain', times.plain, ''),
      row('send, sealed', times.sealed, `plain + 3`),
      row(`open a page of ${pageSize}`, opening.times, '30'),
      row(`first epoch, ${groupSize} people, ${group.devices} devices, and its message`, [group.firstMs], ''),
      row('take that in, with its roster and all lists', [group.joinMs], ''),
      row('next epoch and its message', group.commits, '1,000'),
      row(
        'take an epoch in and open its message',
        group.takes.map(({ ms }) => ms),
        '',
      ),
      row(
        'CPU time of that',
        group.takes.map(({ cpuMs }) => cpuMs),
        '20',
      ),
    ],
  );
  printLine(
    `${opening.open} messages opened; the loop stood still for ${opening.longest.toFixed(0)} ms at most, 99 % below ${opening.p99.toFixed(1)} ms.\n` +
      `A day: ${renewalsADay} renewed keys, 5 new devices, 2 members who left, one message: ${(group.day / 1_000).toFixed(1)} kB in ${group.requests} requests for another device.`,
  );
  await restore();
  for (const device of [sealed, reader, plain]) device.remove();
}

await measureOnStack(`Sealed conversations, a group of ${groupSize}`, measure);
