import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '@nolo/api';
import { createDb } from '@nolo/kit/db';
import {
  eventually,
  exportOf,
  openToGroups,
  signUpByPhone,
  startTestPushService,
  type SubscribedBrowser,
  type TestPushService,
} from '@nolo/testing';
import { Redis } from 'ioredis';
import { deleteBackingData } from '../../scripts/backingServices.ts';
import { startBackingServices, startStack, type BackingServices, type Stack } from '../../scripts/stack.ts';
import { must, openAcceptedConversation, tinyPng } from '../support/authorization/authorizationCast.ts';
import { findWord, formsOf, openTap, readFiles } from '../support/hostile/canaries.ts';
import { requireHealth } from '../support/stacks/faultStack.ts';
import { linkDevice, setUpSealedPeople, type SealedDevice } from '../support/clients/sealedDevices.ts';
import { getTestEnv } from '../support/stacks/testStack.ts';
import { startTraceReceiver, type TraceReceiver } from '../support/stacks/traceReceiver.ts';

/**
 * Checks that only devices have what people wrote to each other: the word that all of it contains is in no store, no
 * log, no trace, no metric, no push, no export, and nothing that passes between the services. Each of them has another
 * word, which was planted in plain view, so that none is searched in vain.
 */

/** The word in everything that is sealed. */
const canary = `kanarie${randomBytes(5).toString('hex')}`;
/** The word in plain view. Its 16 bytes are also a trace id. */
const planted = `spatz${randomBytes(6).toString('hex').slice(1)}`;
const traceparent = `00-${Buffer.from(planted).toString('hex')}-${randomBytes(8).toString('hex')}-01`;

/** Names of files with these folders in their paths; every other file is searched, too. */
const folders: Record<string, string> = {
  'files of Postgres': '/base/',
  'log of Postgres': '/pg_wal/',
  'file of Redis': '/redis/',
  objects: '/files/',
  logs: '/logs/',
};

const urls: string[] = [];
const { started, startPerson } = setUpSealedPeople({ urls });
let home: string;
let stores: BackingServices;
let stack: Stack;
let traces: TraceReceiver;
let pushes: TestPushService;
let taps: Record<'NATS' | 'Redis', Awaited<ReturnType<typeof openTap>>>;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'nolo-canaries-'));
  await chmod(home, 0o711);
  [traces, pushes] = await Promise.all([startTraceReceiver(), startTestPushService()]);
  stores = await startBackingServices({ home, environment: getTestEnv() });
  taps = {
    NATS: await openTap(
      stores.natsUrl,
      ({ username, password }) =>
        `CONNECT ${JSON.stringify({ user: username, pass: password, verbose: false, headers: true })}\r\nSUB > 1\r\n`,
    ),
    Redis: await openTap(stores.redisUrl, ({ password }) => `AUTH ${password}\r\nMONITOR\r\n`),
  };
  stack = await startStack({
    home,
    backing: stores,
    gateways: 2,
    webhooks: true,
    social: false,
    web: false,
    environment: getTestEnv(),
    env: {
      LOG_LEVEL: 'trace',
      NEW_ACCOUNT_HOURS: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
      PUSH_NETWORKS: '127.0.0.0/8',
    },
  });
  urls.push(...stack.urls);
});

afterAll(async () => {
  await stack?.stop();
  await stores?.stop();
  await Promise.all([traces?.stop(), pushes?.stop()]);
  deleteBackingData(home);
  rmSync(home, { recursive: true, force: true });
});

/** Opens a conversation on devices, once each has it in its list. */
const open = (id: string, ...devices: SealedDevice[]) => Promise.all(devices.map((device) => device.chats.open(id)));

/** Writes one of each kind in a direct conversation. */
async function writeToEachOther(id: string, ann: SealedDevice, phone: SealedDevice, ben: SealedDevice) {
  await ann.send(id, `${canary} text`);
  await ben.reads(id, [`${canary} text`]);
  await ben.send(id, `${canary} reply`, ben.find(id, `${canary} text`));
  await phone.reads(id, [`${canary} text`, `${canary} reply`]);
  await phone.chats.edit(phone.find(id, `${canary} text`).id, `${canary} edited`);
  await ben.reads(id, [`${canary} edited`, `${canary} reply`]);
  const { id: first } = ben.find(id, `${canary} edited`);
  await ben.actions.react(first, canary);
  await ben.actions.pin(first, true);
  await eventually(() => ann.find(id, `${canary} edited`).reactions.some(({ emoji }) => emoji === canary));

  const form = new FormData();
  form.set('file', new Blob([tinyPng]), 'picture.png');
  const { url, size } = must(await ann.user.api.request('POST', '/api/upload-media', { body: form }), 'The picture')
    .body as { url: string; size: number };
  const name = `${canary}.png`;
  const info = JSON.stringify({ width: 1, height: 1, alt: canary });
  const fields = { messageType: 'image', fileUrl: url, fileName: name, fileSize: size, mediaInfo: info } as const;
  ann.chats.send(id, `${canary} picture`, {
    media: { messageType: 'image', name, size, info, fields },
    mentions: [ben.user.id],
    forwarded: true,
  });
  const linkPreview = JSON.stringify({ url: `https://${canary}.example`, title: canary });
  ann.chats.send(id, `https://${canary}.example`, { hasLink: true, linkPreview, extra: { poll: canary } });
  await ann.send(id, `${canary} regretted`);
  await ann.chats.remove(ann.find(id, `${canary} regretted`).id);
  const all = [`${canary} edited`, `${canary} reply`, `${canary} picture`, `https://${canary}.example`, '(deleted)'];
  for (const device of [ann, phone, ben]) await device.reads(id, all);
  expect(ben.find(id, `${canary} picture`)).toMatchObject({ fileName: name, mediaInfo: info, forwarded: true });
  return all;
}

/** Writes in a group with moderation, of which one member is away and has pushes. */
async function writeToGroup(ann: SealedDevice, ben: SealedDevice, cem: SealedDevice): Promise<SubscribedBrowser> {
  await openToGroups(...[ann, ben, cem].map(({ user }) => user));
  const { id } = await ann.client.call(routes.createGroup, {
    body: { name: 'Birds', memberIds: [ben.user.id, cem.user.id] },
  });
  const browser = pushes.browser();
  must(await cem.user.api.put('/api/push/subscription', browser.subscription), 'The subscription');
  await open(id, ann, ben, cem);
  await ann.send(id, `${canary} in a group`);
  await cem.reads(id, [`${canary} in a group`]);
  cem.setNetwork(false);
  const settings = { name: planted, settings: { moderationEnabled: true } };
  must(await ann.user.api.patch(`/api/group-chats/${id}`, settings), 'The name');
  await ann.send(id, `${canary} for who is away`);
  await ben.reads(id, [`${canary} in a group`, `${canary} for who is away`]);
  ben.chats.send(id, `https://${canary}.example/held`, { hasLink: true });
  await eventually(async () => {
    const { items } = await ann.client.callPage(routes.listHeldMessages, { params: { id } });
    return items.length === 1;
  });
  await eventually(() => browser.received.some(({ body }) => body['conversationId'] === id));
  cem.setNetwork(true);
  await cem.reads(id, [`${canary} in a group`, `${canary} for who is away`]);
  return browser;
}

/** Writes the other word everywhere, by people without keys, and straight into Redis. Returns who exports it. */
async function plant() {
  const [dea, eve] = await Promise.all(urls.map((url) => signUpByPhone(url)));
  const id = await openAcceptedConversation(dea!, eve!);
  must(await dea!.api.post('/api/messages', { conversationId: id, content: planted }), 'The planted message');
  const form = new FormData();
  form.set('file', new Blob(Object.values(formsOf(planted)).map((form) => Buffer.concat([form, Buffer.alloc(9)]))));
  must(await dea!.api.request('POST', '/api/upload-media', { body: form }), 'The planted file');
  const redis = new Redis(stores.redisUrl);
  await redis.set(planted, planted);
  // Compressed keys and values cannot be searched for.
  await redis.config('SET', 'rdbcompression', 'no');
  await redis.save();
  redis.disconnect();
  return { id, dea: dea!, eve: eve! };
}

/** Returns every row of every service's tables as text, as backups have them. */
async function dumpTables(): Promise<string> {
  const url = new URL(stack.databaseUrls['chat']!);
  const admin = new URL(stores.databaseUrl);
  admin.pathname = url.pathname;
  const db = createDb({ url: admin.href, schema: 'public' });
  try {
    const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    );
    const dumps: string[] = [];
    for (const { name } of tables) {
      const { rows } = await db.raw<{ rows: { row: string }[] }>(`select each::text as row from ${name} each`);
      dumps.push(...rows.map(({ row }) => row));
    }
    return dumps.join('\n');
  } finally {
    await db.destroy();
  }
}

/** Returns the metrics of every service. The simulators have none. */
function readMetrics(): Promise<string[]> {
  const { simulators: _none, ...services } = stack.metricsUrls;
  return Promise.all(Object.values(services).map(async (url) => await (await fetch(url)).text()));
}

test('nothing except the devices has a word of what people sealed', async () => {
  const [ann, ben, cem] = await Promise.all([startPerson(0), startPerson(1), startPerson(0)]);
  const id = await openAcceptedConversation(ann.user, ben.user);
  const [phone, tablet] = await Promise.all([started(linkDevice(ann)), started(linkDevice(ben))]);
  const devices = [ann, phone, ben, tablet, cem];
  await open(id, ann, phone, ben, tablet);
  const all = await writeToEachOther(id, ann, phone, ben);
  const browser = await writeToGroup(ann, ben, cem);
  const { id: plainId, dea, eve } = await plant();

  // A request that fails leaves a line in a log.
  await stack.service('chat').kill('SIGKILL', { hold: true });
  ann.chats.send(id, `${canary} during an outage`);
  const body = { conversationId: plainId, content: 'lost' };
  const reply = await dea.api.post('/api/messages', body, { headers: { traceparent } });
  expect(reply.status).toBe(503);
  await stack.service('chat').start();
  for (const url of urls) await eventually(() => requireHealth(url));
  for (const device of [ann, phone, ben, tablet]) await device.reads(id, [...all, `${canary} during an outage`]);
  must(await eve.api.post('/api/messages', { ...body, content: `${planted} again` }), 'The planted message');

  const exports = await Promise.all([ann, ben, cem].map(async ({ user }) => await exportOf(user)));
  const plainExport = await exportOf(dea);
  await eventually(() => findWord(Buffer.concat(traces.bodies), planted) !== undefined);
  const text = (value: unknown) => Buffer.from(JSON.stringify(value));
  const outside: Record<string, { bytes: Buffer; has: string }> = {
    tables: { bytes: Buffer.from(await dumpTables()), has: planted },
    'what passed through NATS': { bytes: taps.NATS.bytes(), has: planted },
    'what passed through Redis': { bytes: taps.Redis.bytes(), has: planted },
    traces: { bytes: Buffer.concat(traces.bodies), has: planted },
    metrics: { bytes: text(await readMetrics()), has: '/api/messages' },
    pushes: { bytes: text(browser.received), has: cem.user.id },
    exports: {
      bytes: Buffer.concat([
        text([...exports, plainExport].map(({ data }) => data)),
        ...exports.flatMap(({ files }) => Object.values(files).map((file) => Buffer.from(file))),
      ]),
      has: planted,
    },
    requests: { bytes: text(devices.map(({ requests }) => requests)), has: id },
  };
  // The devices themselves have all of it.
  for (const { folder } of devices) {
    expect([...readFiles(folder)].some(({ bytes }) => findWord(bytes, canary) !== undefined)).toBe(true);
  }
  for (const device of devices) device.stop();
  await stack.stop();
  await stores.stop();

  const leaks: string[] = [];
  const searchedInVain = new Set([...Object.keys(outside), ...Object.keys(folders)]);
  const search = (place: string | undefined, where: string, bytes: Buffer, has: string) => {
    const found = findWord(bytes, canary);
    if (found !== undefined) leaks.push(`${where}: ${found}`);
    if (place !== undefined && (bytes.includes(has) || findWord(bytes, has) !== undefined))
      searchedInVain.delete(place);
  };
  for (const [place, { bytes, has }] of Object.entries(outside)) search(place, place, bytes, has);
  for (const folder of new Set([home, stores.dataFolder!])) {
    for (const { path, bytes } of readFiles(folder)) {
      const place = Object.keys(folders).find((name) => path.includes(folders[name]!));
      search(place, path, bytes, planted);
    }
  }
  expect(leaks).toEqual([]);
  expect([...searchedInVain]).toEqual([]);
});
