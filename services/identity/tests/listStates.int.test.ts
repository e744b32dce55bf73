import { randomUUID } from 'node:crypto';
import { limits } from '@nolo/rules';
import { createTestDevice, signFirstList, signNextList, type SignedList } from '@nolo/testing/keys';
import { captureRefusal, shareIdentity, testCallerOf, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();

const hashOf = ({ checked }: SignedList) => Buffer.from(checked.hash);
const bodyOf = ({ message }: SignedList) => message.list.body;
const send = (person: TestPerson, { message }: SignedList) =>
  identity.keys.addDeviceList({ ...testCallerOf(person), ...message, removes: undefined });
const ask = async (userId: string, names: { named?: SignedList[]; known?: SignedList[] } = {}, sessionId?: string) => {
  const { named = [], known = [] } = names;
  const query = { userId, named: named.map(hashOf), known: known.map(hashOf) };
  return (await identity.keys.findListStates({ sessionId, accounts: [query] })).accounts[0];
};

async function withTwo() {
  const ada = await identity.signUp('Ada', 'Lovelace');
  const laptop = await createTestDevice(ada.id);
  const first = await signFirstList(laptop);
  await send(ada, first);
  identity.clock.advance(1_000);
  const phone = await createTestDevice(ada.id);
  const second = await signNextList(first.checked, laptop, { add: [phone] });
  await send(ada, second);
  return { ada, laptop, phone, first, second };
}

describe('the list states of several accounts', () => {
  it('are the newest lists of those that have some, in the order of the request', async () => {
    const [one, two, ben] = [await withTwo(), await withTwo(), await identity.signUp('Ben')];
    const accounts = [two.ada.id, ben.id, one.ada.id].map((userId) => ({ userId, named: [], known: [] }));
    const found = await identity.keys.findListStates({ sessionId: one.ada.sessionId, accounts });
    expect(found.accounts.map(({ userId, deviceId }) => [userId, deviceId])).toEqual([
      [two.ada.id, undefined],
      [one.ada.id, one.laptop.uuid],
    ]);
    expect(found.accounts[1]).toMatchObject({
      hash: hashOf(one.second),
      identity: hashOf(one.first),
      list: bodyOf(one.second),
      // The phone has no session yet.
      suspended: [one.phone.uuid],
      keyless: [],
      outdated: [],
      named: [],
    });
  });

  it('name lists by their hashes, with the time at which the next one followed', async () => {
    const { ada, first, second } = await withTwo();
    const other = await withTwo();
    const state = await ask(ada.id, { named: [first, other.first], known: [second] });
    expect(state?.list).toBeUndefined();
    expect(state?.named.toSorted((a, b) => Number(b.supersededAt) - Number(a.supersededAt))).toHaveLength(2);
    const byHash = (list: SignedList) => state?.named.find(({ hash }) => hash?.equals(hashOf(list)));
    expect(byHash(second)).toMatchObject({ identity: hashOf(first), list: undefined, supersededAt: undefined });
    expect(byHash(first)).toMatchObject({ identity: hashOf(first), list: bodyOf(first) });
    expect(byHash(first)!.supersededAt!.getTime() - state!.firstAt!.getTime()).toBe(1_000);
  });

  it('name lists of a former identity as superseded by the new one', async () => {
    const { ada, first, second } = await withTwo();
    const tablet = await createTestDevice(ada.id);
    const fresh = await signFirstList(tablet);
    await identity.db('sessions').where({ id: ada.sessionId }).update({ proven_at: identity.clock.now() });
    await identity.keys.replaceIdentity({ ...testCallerOf(ada), ...fresh.message, removes: undefined });
    const state = await ask(ada.id, { known: [second] }, ada.sessionId);
    expect(state).toMatchObject({ hash: hashOf(fresh), identity: hashOf(fresh), deviceId: tablet.uuid });
    expect(state?.named).toEqual([
      { hash: hashOf(second), identity: hashOf(first), list: undefined, supersededAt: expect.any(Date) },
    ]);
  });

  it('tell devices without box keys, and those whose box keys are old', async () => {
    const { ada, laptop, phone } = await withTwo();
    await identity.db('box_keys').where({ device_id: phone.uuid }).delete();
    const old = new Date(identity.clock.now().getTime() - limits.boxKeyDays * 86_400_000 - 1);
    await identity.db('box_keys').where({ device_id: laptop.uuid }).update({ at: old });
    expect(await ask(ada.id)).toMatchObject({ keyless: [phone.uuid], outdated: [laptop.uuid] });
  });

  it('are refused for too many accounts or lists', async () => {
    const accounts = Array.from({ length: limits.listStateAccounts + 1 }, () => ({
      userId: randomUUID(),
      named: [],
      known: [],
    }));
    const tooMany = { kind: 'invalid', code: 'too_many_ids' };
    expect(await captureRefusal(identity.keys.findListStates({ sessionId: undefined, accounts }))).toMatchObject(
      tooMany,
    );
    const named = Array.from({ length: limits.listStateNames + 1 }, () => Buffer.alloc(32));
    const greedy = { sessionId: undefined, accounts: [{ userId: randomUUID(), named, known: [] }] };
    expect(await captureRefusal(identity.keys.findListStates(greedy))).toMatchObject(tooMany);
  });
});
