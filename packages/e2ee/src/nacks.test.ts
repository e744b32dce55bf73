import { World } from '../tests/world.ts';
import { createBoxKeyPairs, toPublicBoxKeys } from './boxKeys.ts';
import { commitTo, encodeBox, openBox, readBox, sealBox } from './epochs.ts';
import type { Header } from './headers.ts';
import { checkNack, readNack, signNack } from './nacks.ts';
import { createSigningKey, randomBytes } from './primitives.ts';
import { createStoreKey, openFromStore, sealForStore } from './storeKey.ts';

test('a listed device signs its request for a secret', async () => {
  const ann = await new World().person();
  const nack = {
    conversation: randomBytes(16),
    n: 3,
    headerHash: randomBytes(32),
    account: ann.account,
    device: ann.device.id,
    boxNumber: 2,
    at: 5,
  };
  const statement = await signNack(ann.device.key, nack);
  expect(readNack(statement)).toEqual(nack);
  expect(await checkNack(statement, ann.list.list)).toEqual(nack);
  const other = await new World().person();
  await expect(checkNack(statement, other.list.list)).rejects.toMatchObject({ code: 'subject' });
  const forged = await signNack(other.device.key, nack);
  await expect(checkNack(forged, ann.list.list)).rejects.toMatchObject({ code: 'signature' });
});

test('a box opens after its way over the server', async () => {
  const pairs = await createBoxKeyPairs();
  const [conversation, secret, hash, device] = [randomBytes(16), randomBytes(32), randomBytes(32), randomBytes(16)];
  for (const suite of [1, 2] as const) {
    const header = { conversation, n: 0, suite, commit: await commitTo(secret, conversation, 0) } as Header;
    const to = { device, number: 4, keys: toPublicBoxKeys(pairs) };
    const box = await sealBox('box', { hash, header }, to, secret);
    const read = readBox(encodeBox(box));
    expect(read).toEqual(box);
    expect(await openBox('box', { hash, header }, read, suite === 1 ? pairs.x25519 : pairs.xWing)).toEqual(secret);
    const [wrong] = [encodeBox({ ...box, suite: suite === 1 ? 2 : 1 })];
    expect(() => readBox(wrong)).toThrow(expect.objectContaining({ code: 'malformed' }));
  }
});

test('a key may be bytes, for stores without handles of the engine', async () => {
  expect((await createSigningKey('bytes')).privateKey).toHaveLength(32);
});

test('bytes in a store open only with its key', async () => {
  const [key, plain] = [await createStoreKey(), randomBytes(32)];
  const sealed = await sealForStore(key, plain);
  expect(await openFromStore(key, sealed)).toEqual(plain);
  await expect(openFromStore(await createStoreKey(), sealed)).rejects.toMatchObject({ code: 'unopened' });
});
