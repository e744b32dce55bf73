import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDb } from '@nolo/kit/db';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { eventually, signInByPhone, signUpByPhone, readTestServerAddresses, type TestUser } from '@nolo/testing';
import { projectRoot } from '../../scripts/paths.ts';
import { openAcceptedConversation, sendMessage, tinyPng } from '../support/authorization/authorizationCast.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
const [url = ''] = running.urls;

const createUniqueWord = () => `w${randomBytes(9).toString('hex')}`;
/** Unique texts that only Ada writes, uses as names, or uploads. */
const uniqueTexts = {
  firstName: createUniqueWord(),
  status: createUniqueWord(),
  message: createUniqueWord(),
  edited: createUniqueWord(),
  update: createUniqueWord(),
  inGroup: createUniqueWord(),
  contact: createUniqueWord(),
  draft: createUniqueWord(),
  file: createUniqueWord(),
};
const canaries = (ada: TestUser) => [ada.phone.slice(1), ...Object.values(uniqueTexts)];

/**
 * Tables where the id of an account stays: as the author of emptied messages and the other side of a conversation, in
 * event logs, in the audit, and on files that nobody can read until the sweep deletes them.
 */
const idStaysIn = new Set([
  'chat.conversations',
  'chat.messages',
  'chat.members',
  'chat.events',
  'identity.events',
  'identity.operator_acts',
  'meetings.events',
  'status.events',
  'files.events',
  'files.shared_files',
]);

async function inPostgres(texts: readonly string[]): Promise<Set<string>> {
  const address = new URL(readTestServerAddresses().databaseUrl);
  address.pathname = running.name;
  const db = createDb({ url: address.href, schema: 'public' });
  try {
    const found = new Set<string>();
    const { rows } = await db.raw<{ rows: { name: string }[] }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(rows.length).toBeGreaterThan(80);
    for (const { name } of rows) {
      const { rows: hits } = await db.raw<{ rows: unknown[] }>(
        `select from ${name} t where t::text ilike any(?) limit 1`,
        [texts.map((text) => `%${text}%`) as unknown as string],
      );
      if (hits.length > 0) found.add(name);
    }
    return found;
  } finally {
    await db.destroy();
  }
}

async function inRedis(texts: readonly string[]): Promise<string[]> {
  const redis = await connectRedis({
    url: readTestServerAddresses().redisUrl,
    prefix: running.name,
    log: createLog({ service: 'test', level: 'silent' }),
  });
  try {
    const found: string[] = [];
    for (const whole of await redis.keys(`${running.name}:*`)) {
      const key = whole.slice(running.name.length + 1);
      // Reads all types in the same way, as Redis stores them: it does not compress such short texts.
      const dumped = (await redis.dumpBuffer(key))?.toString('latin1') ?? '';
      if (texts.some((text) => whole.includes(text) || dumped.includes(text))) found.push(key);
    }
    return found;
  } finally {
    await closeRedis(redis);
  }
}

function inFiles(texts: readonly string[], folder = running.home): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return inFiles(texts, path);
    const bytes = readFileSync(path).toString('latin1');
    return texts.some((text) => name.includes(text) || bytes.includes(text)) ? [path] : [];
  });
}

/** Stores data of hers with every service that takes it. */
async function live(ada: TestUser, ben: TestUser): Promise<string> {
  requireSuccess(
    await ada.api.put('/api/profile', { firstName: uniqueTexts.firstName, statusMessage: uniqueTexts.status }),
    'The profile',
  );
  requireSuccess(
    await ada.api.post('/api/contacts', { userId: ben.id, displayName: uniqueTexts.contact }),
    'The contact',
  );
  requireSuccess(await ben.api.post('/api/contacts', { userId: ada.id }), 'The contact');
  const conversationId = await openAcceptedConversation(ada, ben);
  const message = await sendMessage(ada, conversationId, uniqueTexts.message);
  requireSuccess(
    await ada.api.patch(`/api/messages/${message.id as string}`, { content: uniqueTexts.edited }),
    'The edit',
  );
  const group = requireSuccess(
    await ada.api.post('/api/groups', { name: 'Walkers', memberIds: [ben.id] }),
    'The group',
  ).body;
  await sendMessage(ada, group.id as string, uniqueTexts.inGroup);
  requireSuccess(await ada.api.post('/api/status-updates', { content: uniqueTexts.update }), 'The status update');
  requireSuccess(await ada.api.post('/api/social/posts', { content: uniqueTexts.draft, draft: true }), 'The draft');
  const body = new FormData();
  body.set('file', new Blob([tinyPng, uniqueTexts.file]), 'picture.png');
  const { url: fileUrl } = requireSuccess(await ada.api.request('POST', '/api/upload-media', { body }), 'A file').body;
  await sendMessage(ada, conversationId, fileUrl as string);
  return conversationId;
}

test('a deleted account leaves nothing in any store, and nobody can reach it until then', async () => {
  const [ada, ben] = [await signUpByPhone(url), await signUpByPhone(url)];
  const conversationId = await live(ada, ben);
  // The search finds everything while she has an account.
  const before = await inPostgres(canaries(ada));
  expect([...before]).toEqual(
    expect.arrayContaining([
      'identity.users',
      'identity.user_phones',
      'chat.messages',
      'status.statuses',
      'social_scheduler.posts',
    ]),
  );

  requireSuccess(await ada.api.delete('/api/account'), 'The deletion');
  const writes = () => ben.api.post('/api/messages', { conversationId, content: 'Are you there?' });
  await eventually(async () => (await writes()).status === 403);
  expect((await ben.api.get(`/api/users/${ada.id}`)).status).toBe(404);
  expect((await ben.api.get('/api/status-updates')).body).toEqual([]);
  // A user who signs in again may keep the account, and do nothing else.
  const back = await signInByPhone(url, ada.phone);
  const { deletesAt } = requireSuccess(await back.api.get('/api/auth/user'), 'The account').body as {
    deletesAt: string;
  };
  const refused = { status: 403, body: { code: 'account_closed', details: { deletesAt } } };
  expect(await back.api.get('/api/conversations')).toMatchObject(refused);
  expect(await back.api.delete('/api/account')).toMatchObject(refused);
  requireSuccess(await back.api.post('/api/account/keep'), 'Keeping it');
  requireSuccess(await back.api.get('/api/conversations'), 'The chats');
  await eventually(async () => (await writes()).status === 201);

  // Deletes as an operator does without the grace period. Identity's own tests check that it ends by itself.
  const command = ['--no-warnings', join(projectRoot, 'services/identity/src/admin.ts'), 'users', 'delete', ada.id];
  await promisify(execFile)(process.execPath, [...command, '--reason', 'A test.', '--now'], { env: running.adminEnv });
  // The outbox notifies gateways.
  await eventually(async () => (await back.api.get('/api/auth/user')).status === 401);

  // The other services poll for events, and fetch at once when one is published, such as this.
  requireSuccess(await ben.api.put(`/api/blocks/${(await signUpByPhone(url)).id}`), 'A block');
  const left = async () => ({
    postgres: [...(await inPostgres(canaries(ada)))],
    ids: [...(await inPostgres([ada.id]))].filter((table) => !idStaysIn.has(table)),
    redis: await inRedis(canaries(ada)),
    files: inFiles(canaries(ada)),
  });
  const nothing = { postgres: [], ids: [], redis: [], files: [] };
  await eventually(async () => JSON.stringify(await left()) === JSON.stringify(nothing)).catch(() => undefined);
  expect(await left()).toEqual(nothing);
});
