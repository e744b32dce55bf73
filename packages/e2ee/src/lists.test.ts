import { fromUuid, type Bytes } from './bytes.ts';
import { createBoxKeyPairs, signBoxKeys, checkBoxKeys, toPublicBoxKeys } from './boxKeys.ts';
import {
  checkChain,
  checkFirstList,
  checkNextList,
  deviceIdOf,
  followList,
  recoverySigner,
  signList,
  withDescendants,
  type CheckedList,
  type DeviceKind,
  type DeviceList,
} from './lists.ts';
import { createSigningKey, randomBytes, type SigningKey } from './primitives.ts';
import { assertSealable } from './sealable.ts';
import { createRecoverySeed, deriveRecoveryKeys, toListedRecovery } from './recovery.ts';

const account = fromUuid('0190a000-0000-7000-8000-000000000001');
const at = Date.UTC(2026, 10, 29);

interface Device {
  id: Bytes;
  kind: DeviceKind;
  signKey: Bytes;
  key: SigningKey;
}

async function aDevice(kind: DeviceKind = 0): Promise<Device> {
  const key = await createSigningKey();
  return { id: await deviceIdOf(account, key.publicKey), kind, signKey: key.publicKey, key };
}

function firstListOf({ id, kind, signKey }: Device): DeviceList {
  return {
    account,
    n: 0,
    previous: null,
    devices: [{ id, kind, signKey, addedBy: null, seniority: 0 }],
    nextSeniority: 1,
    recovery: null,
    signer: id,
    at,
  };
}

const anAccount = async (device: Device): Promise<CheckedList> =>
  checkFirstList(await signList(device.key, firstListOf(device)));

type Changes = Parameters<typeof followList>[3];

async function next(before: CheckedList, by: Device, changes: Changes, fields: Partial<DeviceList> = {}) {
  const list = { ...followList(before, by.id, at, changes), ...fields };
  return checkNextList(before, await signList(by.key, list));
}

const recoveryFor = async ({ identity }: CheckedList) => {
  const keys = await deriveRecoveryKeys(createRecoverySeed(), account);
  const listed = await toListedRecovery(keys, account, identity);
  const device: Device = { id: recoverySigner, kind: 0, signKey: keys.signing.publicKey, key: keys.signing };
  return { listed, device, keys };
};

const refused = (promise: Promise<unknown>) =>
  expect(promise).rejects.toMatchObject({ name: 'Refusal', code: 'order' });

test('devices add and remove each other by seniority', async () => {
  const [laptop, phone, tablet] = [await aDevice(), await aDevice(), await aDevice()];
  const first = await anAccount(laptop);
  const second = await next(first, laptop, { add: [phone] });
  const third = await next(second, phone, { add: [tablet] });
  expect(third.list.devices.map(({ seniority }) => seniority)).toEqual([0, 1, 2]);
  expect(third.identity).toEqual(first.hash);
  await refused(next(third, tablet, { remove: [phone.id] }));
  await refused(next(third, phone, { remove: [laptop.id] }));
  const fourth = await next(third, laptop, {
    remove: withDescendants([first.list, second.list, third.list], [phone.id]),
  });
  expect(fourth.list.devices.map(({ id }) => id)).toEqual([laptop.id]);
  // A removed device has no say, and its number is never used again.
  await refused(next(fourth, phone, { add: [await aDevice()] }));
  expect((await next(fourth, laptop, { add: [await aDevice()] })).list.devices[1]?.seniority).toBe(3);
});

test('devices that a removed device added leave with whoever added that one', async () => {
  const [laptop, thief, helper, ghost] = [await aDevice(), await aDevice(), await aDevice(), await aDevice()];
  const first = await anAccount(laptop);
  const second = await next(first, laptop, { add: [thief] });
  const third = await next(second, thief, { add: [helper] });
  const fourth = await next(third, helper, { add: [ghost] });
  const fifth = await next(fourth, thief, { remove: [helper.id] });
  const lists = [first, second, third, fourth, fifth].map(({ list }) => list);
  expect(withDescendants(lists, [thief.id])).toEqual([thief.id, ghost.id]);
});

test('a device may remove itself while another one or a recovery key remains', async () => {
  const [laptop, phone] = [await aDevice(), await aDevice()];
  const first = await anAccount(laptop);
  await refused(next(first, laptop, { remove: [laptop.id] }));
  const second = await next(first, laptop, { add: [phone] });
  expect((await next(second, laptop, { remove: [laptop.id] })).list.devices).toHaveLength(1);
  const { listed } = await recoveryFor(first);
  const covered = await next(first, laptop, { recovery: listed });
  expect((await next(covered, laptop, { remove: [laptop.id] })).list.devices).toEqual([]);
});

test('a list that does not follow the one before is refused', async () => {
  const [laptop, phone] = [await aDevice(), await aDevice()];
  const first = await anAccount(laptop);
  const fields: Partial<DeviceList>[] = [
    { n: 2 },
    { n: 0 },
    { previous: randomBytes(32) },
    { previous: null },
    { nextSeniority: 1 },
    { nextSeniority: 3 },
    { devices: first.list.devices.map((device) => ({ ...device, kind: 1 as const })) },
    { devices: first.list.devices.map((device) => ({ ...device, signKey: phone.signKey })) },
    { devices: [...first.list.devices, { ...phone, addedBy: phone.id, seniority: 1 }] },
    { devices: [...first.list.devices, { ...phone, addedBy: null, seniority: 1 }] },
    { devices: [...first.list.devices, { ...phone, addedBy: laptop.id, seniority: 7 }], nextSeniority: 8 },
    { devices: [...first.list.devices, { ...phone, signKey: laptop.signKey, addedBy: laptop.id, seniority: 1 }] },
    { devices: [...first.list.devices, { ...phone, id: recoverySigner, addedBy: laptop.id, seniority: 1 }] },
    { devices: [...first.list.devices, { ...phone, id: randomBytes(16), addedBy: laptop.id, seniority: 1 }] },
    { devices: [{ ...phone, addedBy: laptop.id, seniority: 1 }, ...first.list.devices] },
    { devices: [], nextSeniority: 1 },
  ];
  for (const one of fields) await refused(next(first, laptop, { add: [phone] }, one));
  await refused(next(first, laptop, {}));
  await expect(next(first, laptop, { add: [phone] }, { account: randomBytes(16) })).rejects.toMatchObject({
    code: 'subject',
  });
  const stranger = { ...laptop, key: phone.key };
  await expect(next(first, stranger, { add: [phone] })).rejects.toMatchObject({ code: 'signature' });
});

test('tokens sign no lists, and are not the last device', async () => {
  const [laptop, token] = [await aDevice(), await aDevice(2)];
  const first = await anAccount(laptop);
  await refused(checkFirstList(await signList(token.key, firstListOf(token))));
  const second = await next(first, laptop, { add: [token] });
  await refused(next(second, token, { add: [await aDevice()] }));
  await refused(next(second, laptop, { remove: [laptop.id] }));
});

test('only the most senior device adds a recovery key, and only that key replaces itself', async () => {
  const [laptop, phone] = [await aDevice(), await aDevice()];
  const first = await anAccount(laptop);
  const second = await next(first, laptop, { add: [phone] });
  const { listed, device } = await recoveryFor(first);
  await refused(next(second, phone, { recovery: listed }));
  const third = await next(second, laptop, { recovery: listed });
  const another = await recoveryFor(first);
  await refused(next(third, laptop, { recovery: another.listed }));
  await refused(next(third, laptop, { recovery: null }));
  await refused(next(third, device, { recovery: null }));
  const fourth = await next(third, device, { recovery: another.listed });
  // The replaced key has no say any more.
  await expect(next(fourth, device, { add: [await aDevice()] })).rejects.toMatchObject({ code: 'signature' });
  // The new key removes any device, and adds the one that recovers.
  const fifth = await next(fourth, another.device, { remove: [laptop.id, phone.id], add: [await aDevice()] });
  expect(fifth.list.devices.map(({ seniority, addedBy }) => [seniority, addedBy])).toEqual([[2, recoverySigner]]);
});

test('a recovery key belongs to one identity', async () => {
  const [laptop, foreign] = [await aDevice(), await aDevice()];
  const first = await anAccount(laptop);
  const { listed } = await recoveryFor(first);
  // A server that builds a chain of its own around the public keys of a recovery key lacks its consent.
  const fake = await anAccount(foreign);
  await refused(next(fake, foreign, { recovery: listed }));
});

test('a chain is checked from its first list', async () => {
  const [laptop, phone] = [await aDevice(), await aDevice()];
  const one = await signList(laptop.key, firstListOf(laptop));
  const first = await checkFirstList(one);
  const two = await signList(laptop.key, followList(first, laptop.id, at, { add: [phone] }));
  expect((await checkChain([one, two])).list.n).toBe(1);
  await refused(checkChain([two]));
  await refused(checkChain([]));
  await expect(checkChain([one, { ...two, body: two.body.slice(1) }])).rejects.toMatchObject({ code: 'malformed' });
  const later = { ...two, body: Uint8Array.from(two.body, (byte, index) => (index === 1 ? 2 : byte)) };
  await expect(checkChain([one, later])).rejects.toMatchObject({ code: 'version' });
});

test('box keys are those of a listed device, and never older than seen', async () => {
  const [laptop, phone] = [await aDevice(), await aDevice()];
  const { list } = await anAccount(laptop);
  const keys = toPublicBoxKeys(await createBoxKeyPairs());
  const fields = { account, device: laptop.id, number: 3, keys, at };
  const signed = await signBoxKeys(laptop.key, fields);
  expect(await checkBoxKeys(signed, list, laptop.id)).toEqual(fields);
  expect(await checkBoxKeys(signed, list, laptop.id, { number: 3, body: signed.body })).toEqual(fields);
  const codeOf = (statement: Promise<unknown>) =>
    statement.then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    );
  expect(await codeOf(checkBoxKeys(signed, list, laptop.id, { number: 4, body: signed.body }))).toBe('old');
  const twin = await signBoxKeys(laptop.key, { ...fields, at: at + 1 });
  expect(await codeOf(checkBoxKeys(twin, list, laptop.id, { number: 3, body: signed.body }))).toBe('fork');
  expect(await codeOf(checkBoxKeys(signed, list, phone.id))).toBe('subject');
  const foreign = await signBoxKeys(laptop.key, { ...fields, account: randomBytes(16) });
  expect(await codeOf(checkBoxKeys(foreign, list, laptop.id))).toBe('subject');
  expect(await codeOf(checkBoxKeys(await signBoxKeys(phone.key, fields), list, laptop.id))).toBe('signature');
});

test('keys that nothing can be sealed to are refused', async () => {
  const keys = toPublicBoxKeys(await createBoxKeyPairs());
  await assertSealable(keys);
  const zero = new Uint8Array(32);
  const malformed = { code: 'malformed' };
  await expect(assertSealable({ ...keys, x25519: zero })).rejects.toMatchObject(malformed);
  const broken = Uint8Array.from(keys.xWing, (byte, at) => (at < 3 ? 0xff : byte));
  await expect(assertSealable({ ...keys, xWing: broken })).rejects.toMatchObject(malformed);
  const low = Uint8Array.from(keys.xWing, (byte, at) => (at < 1_184 ? byte : 0));
  await expect(assertSealable({ ...keys, xWing: low })).rejects.toMatchObject(malformed);
});
