import { newId, type UserId } from '@nolo/kit/ids';
import {
  createTestDevice,
  createTestRecovery,
  fromMessage,
  signFirstList,
  signNextList,
  type SignedList,
  type TestDevice,
} from '@nolo/testing/keys';
import { judgeDeviceList } from './deviceLists.ts';
import type { DeviceId, DeviceListState, KnownDevice } from './keyPorts.ts';

const userId = newId<UserId>();
const idOf = ({ uuid }: TestDevice) => uuid as DeviceId;
const known = (device: TestDevice, suspended = false): KnownDevice => ({ id: idOf(device), suspended, keyless: false });
const uploadOf = ({ statement, message }: SignedList) => ({
  lost: false,
  list: statement,
  boxKeys: message.boxKeys.map(fromMessage),
  vault: undefined,
});

/** Creates the state of an account whose chain has these lists, for a session of one of its devices. */
function stateAfter(
  lists: readonly SignedList[],
  { devices = [], own }: { devices?: KnownDevice[]; own?: TestDevice } = {},
): DeviceListState {
  const last = lists.at(-1);
  return {
    userId,
    newest: last && { chain: 0, checked: last.checked },
    listAt: async (n) => {
      const list = lists[n];
      return list && { body: list.statement.body, hash: list.checked.hash };
    },
    devices,
    ownDevice: own && idOf(own),
  };
}

const judge = (state: DeviceListState, list: SignedList, replaces = false) =>
  judgeDeviceList(state, uploadOf(list), { replaces });
const planOf = async (state: DeviceListState, list: SignedList, replaces = false) => {
  const verdict = await judge(state, list, replaces);
  if (verdict.verdict !== 'in_order') throw new Error(`The verdict is ${verdict.verdict}.`);
  return verdict.plan;
};

test('a proof is needed to take something from somebody: another active device, the recovery key, the identity', async () => {
  const [laptop, phone, tablet] = await Promise.all([0, 1, 2].map(() => createTestDevice(userId)));
  if (!laptop || !phone || !tablet) throw new Error('unreachable');
  const first = await signFirstList(laptop);
  const { key, listed } = await createTestRecovery(first.checked);
  const second = await signNextList(first.checked, laptop, { add: [phone], recovery: listed });
  const chain = [first, second];
  const atLaptop = stateAfter(chain, { devices: [known(laptop), known(phone)], own: laptop });
  const suspended = stateAfter(chain, { devices: [known(laptop), known(phone, true)], own: laptop });
  const atNew = stateAfter(chain, { devices: [known(laptop), known(phone)] });
  const adds = await signNextList(second.checked, laptop, { add: [tablet] });
  const removesPhone = await signNextList(second.checked, laptop, { remove: [phone] });
  const resigns = await signNextList(second.checked, laptop, { remove: [laptop] });
  const recovers = await signNextList(second.checked, { key }, { add: [tablet] });
  const another = await createTestRecovery(first.checked);
  const replacesKey = await signNextList(second.checked, { key }, { recovery: another.listed });
  const needs = async (state: DeviceListState, list: SignedList) => (await planOf(state, list)).needsProof;
  expect(await needs(stateAfter([]), first)).toBe(false);
  expect(await needs(stateAfter([first], { devices: [known(laptop)], own: laptop }), second)).toBe(false);
  expect(await needs(atLaptop, adds)).toBe(false);
  expect(await needs(atLaptop, removesPhone)).toBe(true);
  expect(await needs(suspended, removesPhone)).toBe(false);
  expect(await needs(atLaptop, resigns)).toBe(false);
  expect(await needs(atNew, recovers)).toBe(false);
  expect(await needs(atLaptop, replacesKey)).toBe(true);
  expect((await planOf(atLaptop, await signFirstList(tablet), true)).needsProof).toBe(true);
});

test('the session gets the device that begins a chain or recovers, and nothing of what another device adds', async () => {
  const [laptop, phone] = [await createTestDevice(userId), await createTestDevice(userId)];
  const first = await signFirstList(laptop);
  expect(await planOf(stateAfter([]), first)).toMatchObject({ chain: 0, claimed: laptop.uuid, dropsSeeds: false });
  const { key, listed } = await createTestRecovery(first.checked);
  const second = await signNextList(first.checked, laptop, { recovery: listed });
  const added = await signNextList(second.checked, laptop, { add: [phone] });
  const recovered = await signNextList(second.checked, { key }, { add: [phone], remove: [laptop] });
  const state = (own?: TestDevice) => stateAfter([first, second], { devices: [known(laptop)], ...(own && { own }) });
  expect(await planOf(state(laptop), added)).toMatchObject({ claimed: undefined, removed: [] });
  expect(await judge(state(), added)).toEqual({ verdict: 'device_mismatch' });
  expect(await planOf(state(), recovered)).toMatchObject({ claimed: phone.uuid, removed: [laptop.uuid] });
  expect(await planOf(state(laptop), recovered)).toMatchObject({ claimed: phone.uuid, needsProof: false });
  const changed = await planOf(state(laptop), await signFirstList(phone), true);
  expect(changed).toMatchObject({ chain: 1, removed: [laptop.uuid], dropsSeeds: true, endsSessions: false });
});

test('a number is taken once: the same list is repeated, and another one conflicts', async () => {
  const laptop = await createTestDevice(userId);
  const first = await signFirstList(laptop);
  const state = stateAfter([first], { devices: [known(laptop)], own: laptop });
  expect(await judge(state, first)).toEqual({ verdict: 'repeated', chain: 0, n: 0, hash: first.checked.hash });
  expect(await judge(state, await signFirstList(await createTestDevice(userId)))).toEqual({ verdict: 'conflict' });
  const foreign = await signFirstList(await createTestDevice(newId<UserId>()));
  await expect(judge(state, foreign)).rejects.toMatchObject({ name: 'Refusal', code: 'subject' });
});
