import {
  createTestBoxKeys,
  createTestDevice,
  createTestRecovery,
  signFirstList,
  signNextList,
  toMessage,
  type SignedList,
  type TestDevice,
} from '@nolo/testing/keys';
import { captureRefusal, shareIdentity, testCallerOf, type TestPerson } from './startIdentity.ts';
import { send, ownKeysOf, alsoAt, claim, stored, commitsOf, withTwo, alone } from './vaultListFixtures.ts';

const identity = shareIdentity();

describe('a list that this service lost', () => {
  /** Forgets the lists of an account from a number on, and the devices that they added, as an old backup does. */
  const forget = async ({ id }: TestPerson, from: number, devices: readonly TestDevice[]) => {
    await identity.db('device_lists').where({ user_id: id }).where('n', '>=', from).delete();
    await identity
      .db('devices')
      .whereIn(
        'id',
        devices.map(({ uuid }) => uuid),
      )
      .delete();
  };
  /** Returns the device of a session. */
  const currentOf = async (person: TestPerson) =>
    (await ownKeysOf(identity, person)).devices.flatMap(({ id, current }) => (current ? [id] : []));
  const show = (person: TestPerson, { message }: Pick<SignedList, 'message'>) =>
    identity.keys.addDeviceList({ ...testCallerOf(person), ...message, removes: undefined, lost: true });

  it('comes back from another device than the signer, with its epoch, also if it removes devices', async () => {
    const { ada, laptop, phone, second, atPhone } = await withTwo(identity);
    const tablet = await createTestDevice(ada.id);
    const third = await signNextList(second.checked, laptop, { add: [tablet] });
    const fourth = await signNextList(third.checked, laptop, { remove: [tablet] });
    expect(await captureRefusal(send(identity, atPhone, third))).toMatchObject({ code: 'device_mismatch' });
    expect(await captureRefusal(show(atPhone, alone(third)))).toMatchObject({ details: { reason: 'vault' } });
    await show(atPhone, third);
    expect(commitsOf(identity, ada).at(-1)).toMatchObject({ lost: true, keys: { deviceId: laptop.uuid } });
    // The list gives nobody a session: the tablet claims one.
    expect(await ownKeysOf(identity, atPhone)).toMatchObject({ account: { suspended: [tablet.uuid] } });
    expect(await currentOf(atPhone)).toEqual([phone.uuid]);
    const atTablet = await alsoAt(identity, ada);
    await claim(identity, atTablet, tablet);
    identity.clock.advance(600_000);
    expect(await captureRefusal(show(ada, fourth))).toMatchObject({ code: 'proof_required' });
    await show(atPhone, fourth);
    expect(await stored(identity, ada)).toEqual({ lists: [0, 1, 2, 3], waiting: [] });
    expect(await identity.db('sessions').where({ id: atTablet.sessionId })).toEqual([]);
  });

  it('comes back from a session without a device, which then claims the one that the list adds', async () => {
    const { ada, phone, first, second } = await withTwo(identity);
    await forget(ada, 1, [phone]);
    const back = await alsoAt(identity, ada);
    await show(back, second);
    await show(back, second);
    await claim(identity, back, phone);
    expect(await ownKeysOf(identity, back)).toMatchObject({ account: { newest: { n: 1 }, suspended: [] } });
    expect(await currentOf(back)).toEqual([phone.uuid]);
    const { named } = await identity.keys.getListState({
      userId: ada.id,
      sessionId: back.sessionId,
      named: Buffer.from(first.checked.hash),
    });
    expect(named).toEqual(first.message.list.body);
  });

  it('may be the first one, and gives its device to no session', async () => {
    const { ada, laptop, phone, first, second, atPhone } = await withTwo(identity);
    await forget(ada, 0, [laptop, phone]);
    await show(atPhone, first);
    expect(await currentOf(atPhone)).toEqual([]);
    await show(atPhone, second);
    await claim(identity, atPhone, phone);
    await claim(identity, ada, laptop);
    expect(await ownKeysOf(identity, ada)).toMatchObject({ account: { suspended: [] } });
    expect([await currentOf(ada), await currentOf(atPhone)]).toEqual([[laptop.uuid], [phone.uuid]]);
  });

  it('comes with the newest box keys that its sender knows, or without', async () => {
    const { ada, phone, second, atPhone } = await withTwo(identity);
    const renewed = await createTestBoxKeys(phone, { number: 7 });
    const boxKeysOf = async () =>
      (await ownKeysOf(identity, ada)).account?.boxKeys.map(({ number }) => Number(number)).toSorted();
    await forget(ada, 1, [phone]);
    await show(ada, { message: { ...second.message, boxKeys: [toMessage(renewed)] } });
    expect(await boxKeysOf()).toEqual([0, 7]);
    await forget(ada, 1, [phone]);
    const foreign = {
      ...second.message,
      boxKeys: [toMessage(await createTestBoxKeys(await createTestDevice(ada.id)))],
    };
    expect(await captureRefusal(show(ada, { message: foreign }))).toMatchObject({ details: { reason: 'subject' } });
    await show(ada, { message: { ...second.message, boxKeys: [] } });
    expect(await boxKeysOf()).toEqual([0]);
    // The device shows its newest ones itself.
    await claim(identity, atPhone, phone);
    await identity.keys.renewBoxKeys({ ...testCallerOf(atPhone), statement: toMessage(renewed) });
    expect(await boxKeysOf()).toEqual([0, 7]);
  });

  it('follows the newest list, takes no number twice, and replaces no identity', async () => {
    const { ada, laptop, second, atPhone } = await withTwo(identity);
    const third = await signNextList(second.checked, laptop, { add: [await createTestDevice(ada.id)] });
    const fourth = await signNextList(third.checked, laptop, { add: [await createTestDevice(ada.id)] });
    const rival = await signNextList(second.checked, laptop, { add: [await createTestDevice(ada.id)] });
    const forged = { ...third.message, list: { ...third.message.list, signature: fourth.message.list.signature } };
    expect(await captureRefusal(show(atPhone, fourth))).toMatchObject({ details: { reason: 'order' } });
    expect(await captureRefusal(show(atPhone, { message: forged }))).toMatchObject({
      details: { reason: 'signature' },
    });
    await show(atPhone, third);
    expect(await captureRefusal(show(atPhone, rival))).toMatchObject({ code: 'list_conflict' });
    const other = await signFirstList(await createTestDevice(ada.id));
    expect(await captureRefusal(show(atPhone, other))).toMatchObject({ code: 'list_conflict' });
    expect(await captureRefusal(show(await identity.signUp('Ben'), fourth))).toMatchObject({
      details: { reason: 'subject' },
    });
  });

  it('that the recovery key signed needs a proof for what it removes', async () => {
    const { ada, laptop, phone, second, first, atPhone } = await withTwo(identity);
    const { key, listed } = await createTestRecovery(first.checked);
    const third = await signNextList(second.checked, laptop, { recovery: listed });
    await show(atPhone, third);
    const tablet = await createTestDevice(ada.id);
    const fourth = await signNextList(third.checked, { key }, { add: [tablet], remove: [laptop] });
    identity.clock.advance(600_000);
    expect(await captureRefusal(show(atPhone, fourth))).toMatchObject({ code: 'proof_required' });
    await show(await alsoAt(identity, ada), fourth);
    expect((await ownKeysOf(identity, atPhone)).devices.map(({ id }) => id)).toEqual([phone.uuid, tablet.uuid]);
  });
});
