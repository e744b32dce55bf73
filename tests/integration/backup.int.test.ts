import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropDatabase, provisionDatabase } from '@nolo/kit/db';
import { signUpByPhone, testBacking, TestUser, uniqueName } from '@nolo/testing';
import { projectRoot } from '../../scripts/paths.ts';
import { runCommand } from '../../scripts/runCommand.ts';
import { instanceSecrets } from '../../scripts/secrets.ts';
import { databaseServices, databaseVariable } from '../../scripts/services.ts';
import { startStack, type Stack } from '../../scripts/stack.ts';
import { converse, must, say, upload } from '../support/authorizationCast.ts';
import { postgresClientFor } from '../support/postgresClient.ts';
import { environmentOfTests } from '../support/testStack.ts';

const backing = testBacking();
const client = await postgresClientFor(backing.databaseUrl);
const folder = mkdtempSync(join(tmpdir(), 'nolo-backup-'));
const backups = join(folder, 'backups');

/** An instance with a database, files and prefixes of its own. */
class Instance {
  readonly name = uniqueName('backup');
  readonly home = join(folder, this.name);
  readonly files = join(this.home, 'files');
  stack: Stack | undefined;

  /** Answers with its address. */
  async start(): Promise<string> {
    this.stack = await startStack({
      home: this.home,
      backing,
      database: this.name,
      web: false,
      social: false,
      gateways: 1,
      environment: environmentOfTests(),
      env: { REDIS_PREFIX: this.name, NATS_PREFIX: this.name },
    });
    return this.stack.urls[0] ?? '';
  }

  /** The addresses that an operator would have in their secrets, of a database that holds nothing yet. */
  async provision(): Promise<Record<string, string>> {
    mkdirSync(this.home, { recursive: true });
    const { POSTGRES_ROLES_SECRET } = instanceSecrets(this.home);
    const urls = await provisionDatabase(backing.databaseUrl, this.name, databaseServices, POSTGRES_ROLES_SECRET);
    const own = Object.entries(urls).map(([service, url]) => [databaseVariable(service), url]);
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

async function script(words: string[], env: Record<string, string>): Promise<{ code: number; output: string }> {
  const { code, output } = await runCommand(join(projectRoot, 'deploy/backup/nolo-backup.sh'), words, {
    env: { PATH: process.env['PATH'], ...(client === undefined ? {} : { PG_BIN: client }), ...env },
  });
  return { code, output };
}

function backUp(of: Instance): Promise<{ code: number; output: string }> {
  const address = new URL(backing.databaseUrl);
  address.pathname = of.name;
  return script(['backup'], { BACKUP_DATABASE_URL: address.href, BACKUP_DIR: backups, FILES_DIR: of.files, KEEP: '1' });
}

/** The same person, with the same token, at another address. */
function moved(user: TestUser, baseUrl: string): TestUser {
  return new TestUser({ baseUrl, id: user.id, phone: user.phone, token: user.api.token ?? '' });
}

const triedWithClient =
  client === undefined
    ? // Skipped: backups are made with pg_dump, and this machine has none that can read the server of the tests.
      test.skip
    : test;

triedWithClient(
  'a backup of an instance that is gone brings everything back into a new one, and life goes on there',
  async () => {
    const url = await first.start();
    const [ada, ben] = [await signUpByPhone(url, undefined, 'Ada Lovelace'), await signUpByPhone(url)];
    const conversationId = await converse(ada, ben);
    for (let count = 1; count <= 5; count += 1) await say(count % 2 ? ada : ben, conversationId, `message ${count}`);
    const { objectPath } = must(
      await ada.api.put('/api/profile/image', { profileImageURL: await upload(ada) }),
      'The picture',
    ).body as { objectPath: string };
    const picture = await (await fetch(`${url}${objectPath}`, bearer(ben))).bytes();
    expect(picture.length).toBeGreaterThan(0);
    must(await ben.api.put(`/api/conversations/${conversationId}/cursor`, { readSeq: 3 }), 'The cursor');
    const messagesPath = `/api/conversations/${conversationId}/messages`;
    const before = (await ben.api.get(messagesPath)).body;
    const changes = (await ben.api.get(`/api/conversations/${conversationId}/changes?since=0`)).body;

    // While it runs; the second one takes the place of the first.
    expect((await backUp(first)).output).toContain('is complete');
    writeFileSync(join(backups, 'a file of somebody else'), '');
    const made = await backUp(first);
    expect(made).toMatchObject({ code: 0 });
    const kept = readdirSync(backups).filter((name) => name.startsWith('nolo-'));
    expect(kept).toHaveLength(1);
    const backup = join(backups, kept[0] ?? '');

    // Neither over people who are there, nor where it would mix with other files.
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

    const restored = await script(['restore', backup], await second.provision());
    expect(restored).toMatchObject({
      code: 0,
      output: expect.stringContaining('5 messages in 1 conversations') as string,
    });
    expect(restored.output).toContain('1 files, 0 of them without their bytes');
    const newUrl = await second.start();

    // Sessions go on: no secret is part of them.
    const [ada2, ben2] = [moved(ada, newUrl), moved(ben, newUrl)];
    expect((await ben2.api.get(messagesPath)).body).toEqual(before);
    expect((await ben2.api.get(`/api/conversations/${conversationId}/changes?since=0`)).body).toEqual(changes);
    expect(await (await fetch(`${newUrl}${objectPath}`, bearer(ben2))).bytes()).toEqual(picture);
    expect((await ada2.api.get('/api/auth/user')).body).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });

    // The numbers continue where they ended, and what is sent is told.
    const socket = await ben2.connectSocket();
    await say(ada2, conversationId, 'message 6');
    const frame = await socket.next('new_message');
    expect(frame.data).toMatchObject({ seq: 6, content: 'message 6' });
    const after = (await ben2.api.get(`/api/conversations/${conversationId}/changes?since=${changes.changeSeq}`)).body;
    expect(after.changes).toHaveLength(1);
    expect(after.changeSeq).toBe(changes.changeSeq + 1);
    await ben2.disconnect();

    // Where the backup is older than what devices know, everybody begins anew.
    const forgetful = await script(['restore', backup], { ...(await third.provision()), END_SESSIONS: 'yes' });
    expect(forgetful).toMatchObject({ code: 0, output: expect.stringContaining('2 accounts, 0 sessions') as string });
  },
  120_000,
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
