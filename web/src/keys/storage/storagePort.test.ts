import 'fake-indexeddb/auto';
import type { KeyStorage } from '@nolo/client/keys/ports';
import { deleteDB } from 'idb';
import { openKeyStorage } from './openKeyStorage.ts';
import { connectStorage, serveStorage } from './storagePort.ts';

const ports: MessagePort[] = [];

/** Connects a worker's end with the storage of a tab. */
function connect(opening: Promise<KeyStorage>): KeyStorage {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  serveStorage(port1, opening);
  return connectStorage(port2);
}

afterEach(async () => {
  for (const port of ports.splice(0)) port.close();
  await deleteDB('nolo-keys-u1');
});

test('a worker reads, lists, and writes in the storage of its tab', async () => {
  const storage = connect(openKeyStorage('u1', () => undefined));
  await storage.write({ 'a/1': new Uint8Array([1]), 'a/2': { n: 2 }, b: 'text' });
  await storage.write({ b: undefined });
  expect(await Promise.all([storage.read('a/2'), storage.read('b')])).toEqual([{ n: 2 }, undefined]);
  expect(await storage.list('a/')).toEqual([
    ['a/1', new Uint8Array([1])],
    ['a/2', { n: 2 }],
  ]);
});

test('calls of the worker reject if its tab cannot open or no longer use the storage', async () => {
  const denied = connect(Promise.reject(new Error('denied')));
  await expect(denied.read('a')).rejects.toThrow('denied');
  const opened = await openKeyStorage('u1', () => undefined);
  const closed = connect(Promise.resolve(opened));
  opened.close();
  await expect(closed.write({ a: 1 })).rejects.toMatchObject({ name: 'InvalidStateError' });
});

test('a value that cannot be copied is refused', async () => {
  const storage = connect(openKeyStorage('u1', () => undefined));
  await expect(storage.write({ a: () => undefined })).rejects.toMatchObject({ name: 'DataCloneError' });
  expect(await storage.read('a')).toBeUndefined();
});
