import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idOf, World } from '../../tests/keys/keyDevices.ts';
import { openKeys } from '../keys/openKeys.ts';
import { openSqliteKeys } from './sqliteKeys.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nolo-keys-'));
  path = join(folder, 'keys.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('values come back as they were written, in the order of their keys', async () => {
  const storage = openSqliteKeys(path);
  const value = { bytes: Uint8Array.of(1, 2, 3), list: ['a', null, 4], inner: { at: 5.5, is: true } };
  await storage.write({ 'b/2': 2, 'b/10': value, 'a/1': 1, 'b/9': 9 });
  await storage.write({ 'b/9': undefined });
  storage.close();
  const again = openSqliteKeys(path);
  expect(await again.read('b/10')).toEqual(value);
  expect(await again.read('b/9')).toBeUndefined();
  expect(await again.list('b/')).toEqual([
    ['b/10', value],
    ['b/2', 2],
  ]);
  again.close();
});

test('only the owner may read the file', () => {
  const storage = openSqliteKeys(path);
  storage.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(`${path}.lock`).mode & 0o777).toBe(0o600);
});

test('all values of a write are stored, or none', async () => {
  const storage = openSqliteKeys(path);
  await storage.write({ a: 1 });
  await expect(storage.write({ a: 2, b: () => undefined })).rejects.toThrow();
  expect(await storage.list('')).toEqual([['a', 1]]);
  storage.close();
});

test('a device in SQLite survives the end of its process', async () => {
  const world = new World();
  const session = world.device(idOf(1), { name: 'Program' }).session;
  const open = () => {
    const storage = openSqliteKeys(path);
    const call = (async (route: never, options: object = {}) => world.server.call(session, route, options)) as never;
    const { timers } = world.clock;
    const keys = openKeys({
      userId: idOf(1),
      kind: 1,
      call,
      timers,
      deviceNow: timers.now,
      newId: () => crypto.randomUUID(),
      storage,
      runAlone: storage.runAlone,
      keyForm: storage.keyForm,
    });
    return { keys, close: () => storage.runAlone(async () => undefined).then(() => storage.close()) };
  };
  const first = open();
  await first.keys.start();
  const { deviceId } = first.keys.state();
  expect(deviceId).not.toBeNull();
  first.keys.stop();
  await first.close();
  const second = open();
  await second.keys.start();
  expect(second.keys.state()).toMatchObject({ phase: { name: 'ready' }, vault: 'open', deviceId });
  second.keys.stop();
  await second.close();
});

describe('the lock', () => {
  test('two openers of one file take turns', async () => {
    const [one, two] = [openSqliteKeys(path), openSqliteKeys(path)];
    const order: string[] = [];
    const task = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
    };
    await Promise.all([one.runAlone(task('a')), two.runAlone(task('b')), one.runAlone(task('c'))]);
    for (let at = 0; at < order.length; at += 2) expect(order[at + 1]).toBe(order[at]?.replace('begins', 'ends'));
    await expect(one.runAlone(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await two.runAlone(async () => 'free')).toBe('free');
    one.close();
    two.close();
  });

  test('a killed process gives it back', async () => {
    const module = join(import.meta.dirname, 'sqliteKeys.ts');
    const program = `
      const { openSqliteKeys } = await import(${JSON.stringify(module)});
      const { runAlone } = openSqliteKeys(${JSON.stringify(path)});
      await runAlone(() => { console.log('held'); return new Promise(() => setInterval(() => {}, 1000)); });
    `;
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program]);
    await once(child.stdout, 'data');
    const storage = openSqliteKeys(path);
    let isFree = false;
    const waiting = storage.runAlone(async () => void (isFree = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isFree).toBe(false);
    child.kill('SIGKILL');
    await waiting;
    expect(isFree).toBe(true);
    storage.close();
  });
});
