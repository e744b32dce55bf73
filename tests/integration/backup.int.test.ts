import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropDatabase, provisionDatabase } from '@nolo/kit/db';
import {
  eventually,
  openDatabase,
  signUpByPhone,
  readTestServerAddresses,
  TestUser,
  createUniqueName,
} from '@nolo/testing';
import { projectRoot } from '../../scripts/paths.ts';
import { runCommand } from '../../scripts/runCommand.ts';
import { provideInstanceSecrets } from '../../scripts/secrets.ts';
import { databaseServices, databaseVariableOf } from '../../scripts/services.ts';
import { startStack, type Stack } from '../../scripts/stack.ts';
import {
  openAcceptedConversation,
  must,
  sendMessage,
  uploadPicture,
} from '../support/authorization/authorizationCast.ts';
import { findPostgresClientFolder } from '../support/stacks/findPostgresClientFolder.ts';
import { getTestEnv } from '../support/stacks/testStack.ts';

const backing = readTestServerAddresses();
const client = await findPostgresClientFolder(backing.databaseUrl);
const folder = mkdtempSync(join(tmpdir(), 'nolo-backup-'));
const backups = join(folder, 'backups');

/** Instance with a database, files and prefixes of its own. */
class Instance {
  readonly name = createUniqueName('backup');
  readonly home = join(folder, this.name);
  readonly files = join(this.home, 'files');
  stack: Stack | undefined;

  /** Starts the instance and returns its address. */
  async start(): Promise<string> {
    this.stack = await startStack({
      home: this.home,
      backing,
      database: this.name,
      web: false,
      social: false,
      gateways: 1,
      environment: getTestEnv(),
      env: { REDIS_PREFIX: this.name, NATS_PREFIX: this.name },
    });
    return this.stack.urls[0] ?? '';
  }

  /** Returns the addresses from an operator's secrets, for a database that is still empty. */
  async provision(): Promise<Record<string, string>> {
    mkdirSync(this.home, { recursive: true });
    const { POSTGRES_ROLES_SECRET } = provideInstanceSecrets(this.home);
    const urls = await provisionDatabase(backing.databaseUrl, this.name, databaseServices, POSTGRES_ROLES_SECRET);
    const own = Object.entries(urls).map(([service, url]) => [databaseVariableOf(service), url]);
    return { ...(Object.fromEntries(own) as Record<string, string>), FILES_DIR: this.files };
  }

  async destroy(): Promise<void> {
    await this.stack?.stop();
    this.stack = undefined;
    await dropDatabase(backing.databaseUrl, this.name);
    rmSync(this.home, { recursive: true, force: true });
  }
}

const first = new Instance();
const second = new Instance();
const third = new Instance();

afterAll(async () => {
  await first.destroy();
  await second.destroy();
  await third.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const program = join(projectRoot, 'deploy/backup/nolo-backup.sh');

function environmentFor(env: Record<string, string>): Record<string, string | undefined> {
  return { PATH: process.env['PATH'], ...(client === undefined ? {} : { PG_BIN: client }), ...env };
}

async function script(words: string[], env: Record<string, string>): Promise<{ code: number; output: string }> {
  const { code, output } = await runCommand(program, words, { env: environmentFor(env) });
  return { code, output };
}

/** Returns the address of the database for its administrator. */
function addressOf(of: Instance): string {
  const address = new URL(backing.databaseUrl);
  address.pathname = of.name;
  return address.href;
}

function backUp(of: Instance): Promise<{ code: number; output: string }> {
  const files = { BACKUP_DIR: backups, FILES_DIR: of.files, KEEP: '1' };
  return script(['backup'], { BACKUP_DATABASE_URL: addressOf(of), ...files });
}

/** Mode that no service sets: a restore that touched the root of the volume would change it. */
const rootMode = 0o731;

/** Creates what a file system of its own has in its root. */
function makeVolume(path: string): void {
  mkdirSync(join(path, 'lost+found'), { recursive: true });
  writeFileSync(join(path, 'lost+found/#12'), '');
  chmodSync(path, rootMode);
}

/** Restores until `table` is to be dropped, which an open read blocks, and then kills every process of the restore. */
async function restoreUntil(table: string, backup: string, into: Instance): Promise<void> {
  const db = openDatabase(addressOf(into), 'public');
  try {
    const reader = await db.transaction();
    await reader.raw(`lock table ${table} in access share mode`);
    const restore = spawn(program, ['restore', backup], {
      env: environmentFor(await into.provision()),
      detached: true,
      stdio: 'ignore',
    });
    const ended = once(restore, 'exit');
    await eventually(async () => {
      if (restore.exitCode !== null) throw new Error(`The restore ended with ${restore.exitCode}.`);
      const waiting = `select 1 from pg_locks where relation = '${table}'::regclass and not granted`;
      return (await db.raw<{ rows: unknown[] }>(waiting)).rows.length > 0;
    });
    process.kill(-(restore.pid ?? 0), 'SIGKILL');
    await ended;
    await reader.rollback();
  } finally {
    await db.destroy();
  }
}

async function count(of: Instance, table: string): Promise<number> {
  const db = openDatabase(addressOf(of), 'public');
  const { rows } = await db.raw<{ rows: { count: string }[] }>(`select count(*) from ${table}`);
  await db.destroy();
  return Number(rows[0]?.count);
}

/** Returns the same user, with the same token, at another address. */
function moved(user: TestUser, baseUrl: string): TestUser {
  return new TestUser({ baseUrl, id: user.id, phone: user.phone, token: user.api.token ?? '' });
}

const triedWithClient =
  client === undefined
    ? // Skipped: this machine has no pg_dump that can read the tests' server.
      test.skip
    : test;

triedWithClient(
  'a backup of an instance that is gone brings everything back into a new one, and life goes on there',
  async () => {
    makeVolume(first.files);
    const url = await first.start();
    const [ada, ben] = [await signUpByPhone(url, undefined, 'Ada Lovelace'), await signUpByPhone(url)];
    const conversationId = await openAcceptedConversation(ada, ben);
    for (let count = 1; count <= 5; count += 1)
      await sendMessage(count % 2 ? ada : ben, conversationId, `message ${count}`);
    const { objectPath } = must(
      await ada.api.put('/api/profile/image', { profileImageURL: await uploadPicture(ada) }),
      'The picture',
    ).body as { objectPath: string };
    const picture = await (await fetch(`${url}${objectPath}`, bearer(ben))).bytes();
    expect(picture.length).toBeGreaterThan(0);
    must(await ben.api.put(`/api/conversations/${conversationId}/cursor`, { readSeq: 3 }), 'The cursor');
    const messagesPath = `/api/conversations/${conversationId}/messages`;
    const before = (await ben.api.get(messagesPath)).body;
    const changes = (await ben.api.get(`/api/conversations/${conversationId}/changes?since=0`)).body;

    // Backs up while the instance runs; the second backup replaces the first.
    expect((await backUp(first)).output).toContain('is complete');
    writeFileSync(join(backups, 'a file of somebody else'), '');
    const made = await backUp(first);
    expect(made).toMatchObject({ code: 0 });
    const kept = readdirSync(backups).filter((name) => name.startsWith('nolo-'));
    expect(kept).toHaveLength(1);
    const backup = join(backups, kept[0] ?? '');

    // Refuses to restore over existing accounts, or where it would mix with other files.
    const full = await script(['restore', backup], {
      ...(await first.provision()),
      FILES_DIR: join(folder, 'elsewhere'),
    });
    expect(full).toMatchObject({
      code: 1,
      output: expect.stringContaining('There are accounts in this database') as string,
    });
    expect((await script(['restore', backup], await first.provision())).output).toContain('is not empty');

    await first.destroy();

    // Restores into an instance that has run, with migrated schemas, on a volume whose root has another owner.
    await second.start();
    await second.stack?.stop();
    makeVolume(second.files);
    await restoreUntil('meetings.meetings', backup, second);
    expect([await count(second, 'chat.messages'), await count(second, 'identity.users')]).toEqual([5, 0]);
    const other = join(folder, 'other');
    cpSync(backup, other, { recursive: true });
    const sums = readFileSync(join(backup, 'SHA256SUMS'), 'utf8').trim().split('\n');
    writeFileSync(join(other, 'SHA256SUMS'), `${sums.toReversed().join('\n')}\n`);
    expect(await script(['restore', other], await second.provision())).toMatchObject({
      code: 1,
      output: expect.stringContaining('of another backup was interrupted') as string,
    });
    const restored = await script(['restore', backup], await second.provision());
    expect(restored).toMatchObject({
      code: 0,
      output: expect.stringContaining('5 messages in 1 conversations') as string,
    });
    expect(restored.output).toContain('1 files, 0 of them without their bytes');
    expect(readdirSync(second.files).toSorted()).toEqual(['lost+found', 'objects', 'uploads']);
    expect(statSync(second.files).mode & 0o777).toBe(rootMode);
    const retry = await script(['restore', backup], await second.provision());
    expect(retry.output).toContain('is not empty');
    const newUrl = await second.start();

    // Sessions continue, because they contain no secret.
    const [ada2, ben2] = [moved(ada, newUrl), moved(ben, newUrl)];
    expect((await ben2.api.get(messagesPath)).body).toEqual(before);
    expect((await ben2.api.get(`/api/conversations/${conversationId}/changes?since=0`)).body).toEqual(changes);
    expect(await (await fetch(`${newUrl}${objectPath}`, bearer(ben2))).bytes()).toEqual(picture);
    expect((await ada2.api.get('/api/auth/user')).body).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });

    // The numbers continue where they ended, and messages are delivered.
    const socket = await ben2.connectSocket();
    await sendMessage(ada2, conversationId, 'message 6');
    const frame = await socket.next('new_message');
    expect(frame.data).toMatchObject({ seq: 6, content: 'message 6' });
    const after = (await ben2.api.get(`/api/conversations/${conversationId}/changes?since=${changes.changeSeq}`)).body;
    expect(after.changes).toHaveLength(1);
    expect(after.changeSeq).toBe(changes.changeSeq + 1);
    await ben2.disconnect();

    // If the backup is older than what devices know, everyone starts again.
    const forgetful = await script(['restore', backup], { ...(await third.provision()), END_SESSIONS: 'yes' });
    expect(forgetful).toMatchObject({ code: 0, output: expect.stringContaining('2 accounts, 0 sessions') as string });

    // If interrupted before the check ended, it is checked again. Data missing in the backup fails the check, but not
    // the restore.
    const db = openDatabase(addressOf(third), 'public');
    await db.raw('delete from chat.messages where seq = 2');
    await db.destroy();
    cpSync(join(backup, 'SHA256SUMS'), join(third.files, '.restoring'));
    const checked = await script(['restore', backup], await third.provision());
    expect(checked).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Only the check is left[^]*have gaps[^]*The restore is complete/) as string,
    });
    expect(readdirSync(third.files)).not.toContain('.restoring');
    expect(await script(['check'], await third.provision())).toMatchObject({ code: 1 });
  },
  180_000,
);

triedWithClient('a damaged backup is refused', async () => {
  const broken = join(folder, 'broken');
  mkdirSync(broken);
  for (const file of ['database.dump', 'files.tar']) writeFileSync(join(broken, file), 'not what was written');
  writeFileSync(join(broken, 'SHA256SUMS'), `${'0'.repeat(64)}  database.dump\n${'0'.repeat(64)}  files.tar\n`);
  const { code, output } = await script(['verify', broken], {});
  expect(code).toBe(1);
  expect(output).toContain('is damaged');
});

function bearer(user: TestUser): RequestInit {
  return { headers: { authorization: `Bearer ${user.api.token ?? ''}` } };
}
