import { encodeBox, readBox } from './boxes.ts';
import { createBoxKeyPairs, toPublicBoxKeys } from './boxKeys.ts';
import { openBox, sealBox, commitTo } from './epochs.ts';
import { encodeRoster, hashOfRoster, type Header } from './headers.ts';
import { hashFor } from './primitives.ts';
import { checkNack, readNack, signNack } from './nacks.ts';
import { createSigningKey, createStoreKey, openFromStore, randomBytes, sealForStore } from './primitives.ts';

const nack = {
  conversation: randomBytes(16),
  n: 3,
  headerHash: randomBytes(32),
  account: randomBytes(16),
  device: randomBytes(16),
  boxNumber: 2,
  at: 5,
};

test('a device signs its request for a secret', async () => {
  const key = await createSigningKey();
  const statement = await signNack(key, nack);
  expect(readNack(statement)).toEqual(nack);
  await checkNack(statement, key.publicKey);
  await expect(checkNack(statement, (await createSigningKey()).publicKey)).rejects.toMatchObject({
    code: 'signature',
  });
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

test('the hash of a roster is that of its encoding', async () => {
  const members = [{ account: randomBytes(16), role: 2, list: { n: 0, hash: randomBytes(32) }, devices: [] }] as const;
  expect(await hashOfRoster(members)).toEqual(await hashFor('roster', encodeRoster(members)));
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
