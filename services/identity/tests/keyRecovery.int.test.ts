import { randomBytes } from 'node:crypto';
import { newId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { createTestDevice, createTestRecovery, signFirstList, signNextList } from '@nolo/testing/keys';
import { createKeyFixtures, refusedAs } from './keyFixtures.ts';
import { captureRefusal, shareIdentity, testCallerOf, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();
const { alsoAt, send, replace, ownKeysOf, keysOf, isSignedIn, forgetProof, withKeys, withTwo, claim, addPasskey } =
  createKeyFixtures(identity);

describe('recovery', () => {
  it('adds the device of the session and removes the lost ones', async () => {
    const { ada, laptop, first } = await withKeys();
    const { key, listed } = await createTestRecovery(first.checked);
    await forgetProof(ada);
    // The first recovery key needs no proof.
    const second = await signNextList(first.checked, laptop, { recovery: listed });
    await send(ada, second);
    const back = await alsoAt(ada);
    const tablet = await createTestDevice(ada.id);
    const third = await signNextList(second.checked, { key }, { add: [tablet], remove: [laptop] });
    // Only a session without another device of the list can recover.
    const kept = await signNextList(second.checked, { key }, { add: [tablet] });
    expect(await captureRefusal(send(ada, kept))).toMatchObject({ kind: 'conflict', code: 'device_present' });
    const none = await signNextList(second.checked, { key }, { remove: [laptop] });
    expect(await captureRefusal(send(back, none))).toMatchObject({ code: 'device_mismatch' });
    const two = await signNextList(second.checked, { key }, { add: [tablet, await createTestDevice(ada.id)] });
    expect(await captureRefusal(send(back, two))).toMatchObject(refusedAs('rights'));
    await send(back, third);
    expect(await isSignedIn(ada)).toBe(false);
    expect((await ownKeysOf(back)).devices).toMatchObject([{ id: tablet.uuid, current: true }]);
  });

  it('continues in the session of a device that lost its keys', async () => {
    const { ada, laptop, first } = await withKeys();
    const { key, listed } = await createTestRecovery(first.checked);
    const second = await signNextList(first.checked, laptop, { recovery: listed });
    await send(ada, second);
    const again = await createTestDevice(ada.id);
    await send(ada, await signNextList(second.checked, { key }, { add: [again], remove: [laptop] }));
    expect(await isSignedIn(ada)).toBe(true);
    expect((await ownKeysOf(ada)).devices).toMatchObject([{ id: again.uuid, current: true }]);
  });

  it('replaces its key with a fresh proof, and drops the seeds of the former one', async () => {
    const { ada, laptop, first } = await withKeys();
    const passkey = await addPasskey(ada);
    const { key, listed } = await createTestRecovery(first.checked);
    const second = await signNextList(first.checked, laptop, { recovery: listed });
    await send(ada, second);
    const wrapped = randomBytes(65);
    await identity.keys.putRecoverySeed({ ...testCallerOf(ada), passkeyId: passkey, wrapped });
    expect((await ownKeysOf(ada)).seeds).toMatchObject([{ passkeyId: passkey, wrapped }]);
    const next = await createTestRecovery(first.checked);
    const third = await signNextList(second.checked, { key }, { recovery: next.listed });
    await forgetProof(ada);
    expect(await captureRefusal(send(ada, third))).toMatchObject({ code: 'proof_required' });
    await identity.db('sessions').where({ id: ada.sessionId }).update({ proven_at: identity.clock.now() });
    await send(ada, third);
    expect((await ownKeysOf(ada)).seeds).toEqual([]);
  });
});

describe('a wrapped seed', () => {
  it('belongs to a passkey of the account, and ends with it', async () => {
    const { ada } = await withKeys();
    const passkeyId = await addPasskey(ada);
    const wrapped = randomBytes(65);
    const put = (person: TestPerson, id: string, bytes = wrapped) =>
      identity.keys.putRecoverySeed({ ...testCallerOf(person), passkeyId: id, wrapped: bytes });
    await put(ada, passkeyId);
    const another = randomBytes(65);
    await put(ada, passkeyId, another);
    expect((await ownKeysOf(ada)).seeds).toMatchObject([{ passkeyId, wrapped: another }]);
    expect(await captureRefusal(put(ada, newId()))).toMatchObject({ code: 'identity_not_found' });
    expect(await captureRefusal(put(ada, passkeyId, randomBytes(limits.recoverySeedBytes + 1)))).toMatchObject({
      code: 'invalid_request',
    });
    expect(await captureRefusal(put(await alsoAt(ada), passkeyId))).toMatchObject({ code: 'device_required' });
    const ben = await withKeys();
    expect(await captureRefusal(put(ben.ada, passkeyId))).toMatchObject({ code: 'identity_not_found' });
    await identity.keys.deleteRecoverySeed({ ...testCallerOf(ben.ada), passkeyId });
    expect((await ownKeysOf(ada)).seeds).toHaveLength(1);
    await identity.keys.deleteRecoverySeed({ ...testCallerOf(ada), passkeyId });
    expect((await ownKeysOf(ada)).seeds).toEqual([]);
    await put(ada, passkeyId);
    await identity.security.unlinkIdentity({ ...testCallerOf(ada), identityId: passkeyId });
    expect((await ownKeysOf(ada)).seeds).toEqual([]);
  });
});

describe('a changed identity', () => {
  it('needs a proof, begins another chain, and keeps the former one readable', async () => {
    const { ada, laptop, second, atPhone } = await withTwo();
    const again = await createTestDevice(ada.id);
    const fresh = await signFirstList(again);
    expect(await captureRefusal(send(ada, fresh))).toMatchObject({ code: 'list_conflict' });
    await forgetProof(ada);
    expect(await captureRefusal(replace(ada, fresh))).toMatchObject({ code: 'proof_required' });
    await identity.db('sessions').where({ id: ada.sessionId }).update({ proven_at: identity.clock.now() });
    const next = await signNextList(second.checked, laptop, { add: [await createTestDevice(ada.id)] });
    expect(await captureRefusal(replace(ada, next))).toMatchObject(refusedAs('order'));
    const answer = await replace(ada, fresh);
    expect(answer).toEqual({ position: { chain: 1, n: 0 }, hash: Buffer.from(fresh.checked.hash) });
    expect(await replace(ada, fresh)).toEqual(answer);
    const ben = await identity.signUp('Ben');
    expect(await keysOf(ben, ada.id)).toMatchObject({
      newest: { chain: 1, n: 0 },
      lists: [{ position: { chain: 1, n: 0 } }],
      boxKeys: [{ deviceId: again.uuid }],
    });
    const since = await keysOf(ben, ada.id, { chain: 0, n: 0 });
    expect(since!.lists.map(({ position }) => position)).toEqual([
      { chain: 0, n: 1 },
      { chain: 1, n: 0 },
    ]);
    // The sessions stay, and their former devices do not act any more.
    expect(await isSignedIn(atPhone)).toBe(true);
    expect(await captureRefusal(send(atPhone, next))).toMatchObject(refusedAs('order'));
    expect(await captureRefusal(claim(atPhone, laptop))).toMatchObject({ code: 'device_not_found' });
  });
});
