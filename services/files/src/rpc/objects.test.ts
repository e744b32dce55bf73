import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type FileId } from '@nolo/kit/ids';
import { createLog } from '@nolo/kit/log';
import { createRegistry } from '@nolo/kit/telemetry';
import { objectKey } from '../domain/ports.ts';
import { createFilesMetrics } from '../metrics.ts';
import { FolderDriver } from '../storage/FolderDriver.ts';
import type { RpcDependencies } from './dependencies.ts';
import { readObject } from './objects.ts';

/** Returns the files of the folder that this process has open. */
async function openFiles(folder: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const paths = await Promise.all(descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder));
}

async function* bytes() {
  yield await Promise.resolve(Buffer.alloc(2_000_000));
}

test('a reader who leaves after the header leaves no file open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nolo-read-'));
  const storage = new FolderDriver(folder);
  const object = { id: newId<FileId>(), contentType: 'image/webp', size: 2_000_000 };
  await storage.put(objectKey(object.id), bytes());
  const metrics = createFilesMetrics(createRegistry('test'), { waiting: 0, waitingCost: 0 });
  const read = readObject({ objects: { find: async () => object }, storage, metrics } as unknown as RpcDependencies);
  const log = createLog({ service: 'test', level: 'silent' });
  const context = { requestId: newId(), log, signal: new AbortController().signal };
  const request = { actorId: newId(), objectId: object.id, width: 0, range: undefined };
  for await (const { part } of read(request, context)) {
    expect(part?.$case).toBe('header');
    expect(await openFiles(folder)).toHaveLength(1);
    break;
  }
  expect(await openFiles(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});
