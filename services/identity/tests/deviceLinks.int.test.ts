import { randomBytes } from 'node:crypto';
import {
  computeLinkCommitment,
  createLinkCode,
  openLinkAnswer,
  sealLinkAnswer,
  toPin,
  type Bytes,
  type CheckedList,
} from '@nolo/e2ee';
import { newId } from '@nolo/kit/ids';
import type { ContinueLinkRequest } from '@nolo/proto/deviceLinks';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { createTestDevice, createTestOffer, signFirstList, signNextList, type SignedList } from '@nolo/testing/keys';
import { captureRefusal, shareIdentity, testCallerOf, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();

const conflict = { kind: 'conflict', code: 'link_conflict' };
const missing = { kind: 'not_found', code: 'link_not_found' };
const refused = (reason: string) => ({ kind: 'invalid', code: 'link_refused', details: { reason } });

const alsoAt = async (person: TestPerson): Promise<TestPerson> => {
  const { token, sessionId } = await identity.signIn(person.phoneNumber);
  return { ...person, token, sessionId };
};
const begin = (person: TestPerson, first: { offer: Bytes } | { commitment: Bytes }) =>
  identity.keys.beginLink({
    ...testCallerOf(person),
    first:
      'offer' in first
        ? { $case: 'offer', value: Buffer.from(first.offer) }
        : { $case: 'commitment', value: Buffer.from(first.commitment) },
  });
const get = (person: TestPerson, linkId?: string) => identity.keys.getLink({ ...testCallerOf(person), linkId });
const go = (person: TestPerson, linkId: string | undefined, step: ContinueLinkRequest['step']) =>
  identity.keys.continueLink({ ...testCallerOf(person), linkId, step });
const end = (person: TestPerson, linkId?: string) => identity.keys.endLink({ ...testCallerOf(person), linkId });
const sendList = (person: TestPerson, { message }: SignedList) =>
  identity.keys.addDeviceList({ ...testCallerOf(person), ...message, removes: undefined });
const linksOf = async (person: TestPerson) =>
  (await identity.keys.getOwnKeys({ ...testCallerOf(person), after: undefined })).linkIds;

/** Creates an account with a device, and a new session with a device that is not listed yet. */
async function withNewDevice() {
  const ada = await identity.signUp('Ada');
  const laptop = await createTestDevice(ada.id);
  const first = await signFirstList(laptop);
  await sendList(ada, first);
  const atPhone = await alsoAt(ada);
  const phone = await createTestDevice(ada.id);
  const offer = await createTestOffer(phone);
  return { ada, laptop, first, atPhone, phone, offer };
}

const headOf = ({ list, identity: chain, hash }: CheckedList): Buffer =>
  Buffer.concat([list.account, chain, Buffer.from([list.n]), hash]);
const challenge = (random = randomBytes(32), head: Buffer = randomBytes(100)) =>
  ({ $case: 'challenge', value: { random, head } }) as const;
const opening = (offer: Bytes, random: Uint8Array) =>
  ({ $case: 'opening', value: { offer: Buffer.from(offer), random: Buffer.from(random) } }) as const;
const confirming = (value = randomBytes(100)) => ({ $case: 'done', value }) as const;
const answering = (value = randomBytes(100)) => ({ $case: 'answer', value }) as const;

test('a link with a camera: the new device gets the session that offered it, and reads the sealed answer', async () => {
  const { ada, laptop, first, atPhone, phone, offer } = await withNewDevice();
  const gateway = await identity.gateway('links-camera');
  await gateway.leases.add(ada.id);
  const begun = await begin(atPhone, { offer });
  expect(begun).toMatchObject({ id: phone.uuid, state: 'offered', own: true, challenge: undefined, answer: undefined });
  await eventually(() => gateway.framesFor(ada.id, 'device_link_changed').some(({ id }) => id === phone.uuid));
  expect(await linksOf(ada)).toEqual([phone.uuid]);
  const seen = await get(ada, phone.uuid);
  expect(seen).toMatchObject({
    own: false,
    name: 'Test browser',
    offer: { offer: Buffer.from(offer), random: undefined },
  });
  const second = await signNextList(first.checked, laptop, { add: [phone] });
  await sendList(ada, second);
  const code = await createLinkCode(phone.id, offer);
  const sealed = Buffer.from(await sealLinkAnswer(code, toPin(second.checked)));
  const answered = await go(ada, phone.uuid, answering(sealed));
  expect(answered.state).toBe('answered');
  // A client that lost the answer repeats the step.
  expect(await go(ada, phone.uuid, answering(sealed))).toEqual(answered);
  expect(await captureRefusal(go(ada, phone.uuid, answering()))).toMatchObject(conflict);
  const { answer } = await get(atPhone, phone.uuid);
  expect(await openLinkAnswer(code, Uint8Array.from(answer!))).toEqual(toPin(second.checked));
  const own = await identity.keys.getOwnKeys({ ...testCallerOf(atPhone), after: undefined });
  expect(own.devices.find(({ id }) => id === phone.uuid)).toMatchObject({ current: true, suspendedAt: undefined });
  expect(own.linkIds).toEqual([]);
});

test('a browser that lost its keys is linked in the same session, and the device that it was is suspended', async () => {
  const { ada, laptop, first, atPhone, phone, offer } = await withNewDevice();
  await begin(atPhone, { offer });
  const second = await signNextList(first.checked, laptop, { add: [phone] });
  await sendList(ada, second);
  const anew = await createTestDevice(ada.id);
  await begin(atPhone, { offer: await createTestOffer(anew) });
  await sendList(ada, await signNextList(second.checked, laptop, { add: [anew] }));
  const own = await identity.keys.getOwnKeys({ ...testCallerOf(atPhone), after: undefined });
  expect(own.devices.find(({ id }) => id === anew.uuid)).toMatchObject({ current: true, suspendedAt: undefined });
  expect(own.devices.find(({ id }) => id === phone.uuid)).toMatchObject({ current: false, sessionExpired: false });
  expect(own.account?.suspended).toEqual([phone.uuid]);
});

test('a link without a camera takes each step once, in order, and from the right side', async () => {
  const { ada, laptop, first, atPhone, phone, offer } = await withNewDevice();
  const random = Uint8Array.from(randomBytes(32));
  const commitment = await computeLinkCommitment(offer, random);
  const { id, state } = await begin(atPhone, { commitment });
  expect(state).toBe('committed');
  expect(await captureRefusal(go(atPhone, id, opening(offer, random)))).toMatchObject(conflict);
  expect(await captureRefusal(go(atPhone, id, confirming()))).toMatchObject(conflict);
  expect(await captureRefusal(go(ada, id, answering()))).toMatchObject(conflict);
  expect(await captureRefusal(go(atPhone, id, challenge()))).toMatchObject(conflict);
  // A session without a device takes no part.
  const third = await alsoAt(ada);
  expect(await captureRefusal(get(third, id))).toMatchObject(missing);
  expect(await captureRefusal(go(third, id, challenge()))).toMatchObject(missing);
  const sent = challenge(randomBytes(32), headOf(first.checked));
  await go(ada, id, sent);
  expect((await go(ada, id, sent)).state).toBe('challenged');
  expect(await captureRefusal(go(ada, id, challenge()))).toMatchObject(conflict);
  expect(await get(atPhone, id)).toMatchObject({ challenge: sent.value, offer: undefined });
  expect(await captureRefusal(go(ada, id, opening(offer, random)))).toMatchObject(conflict);
  const other = await createTestOffer(await createTestDevice(ada.id));
  expect(await captureRefusal(go(atPhone, id, opening(other, random)))).toMatchObject(refused('subject'));
  expect(await captureRefusal(go(atPhone, id, opening(offer, randomBytes(32))))).toMatchObject(refused('subject'));
  const opened = await go(atPhone, id, opening(offer, random));
  expect(opened).toMatchObject({ state: 'opened' });
  expect(await go(atPhone, id, opening(offer, random))).toEqual(opened);
  expect(await get(ada, id)).toMatchObject({ offer: { offer: Buffer.from(offer), random: Buffer.from(random) } });
  expect(await captureRefusal(go(ada, id, confirming()))).toMatchObject(conflict);
  const gateway = await identity.gateway('links-digits');
  await gateway.leases.add(ada.id);
  const done = confirming();
  const confirmed = await go(atPhone, id, done);
  expect(confirmed).toMatchObject({ state: 'confirmed', done: done.value });
  await eventually(() => gateway.framesFor(ada.id, 'device_link_changed').length === 1);
  expect(await go(atPhone, id, done)).toEqual(confirmed);
  expect(await captureRefusal(go(atPhone, id, confirming()))).toMatchObject(conflict);
  expect(await captureRefusal(go(atPhone, id, opening(other, random)))).toMatchObject(conflict);
  expect(await get(ada, id)).toMatchObject({ state: 'confirmed', done: done.value, own: false });
  await sendList(ada, await signNextList(first.checked, laptop, { add: [phone] }));
  const own = await identity.keys.getOwnKeys({ ...testCallerOf(atPhone), after: undefined });
  expect(own.devices.find((device) => device.current)).toMatchObject({ id: phone.uuid });
});

test('only the old device that sent the challenge continues', async () => {
  const { ada, laptop, first, atPhone, phone, offer } = await withNewDevice();
  await begin(atPhone, { offer });
  await sendList(ada, await signNextList(first.checked, laptop, { add: [phone] }));
  // The account now has two old devices.
  const atTablet = await alsoAt(ada);
  const tablet = await createTestOffer(await createTestDevice(ada.id));
  const commitment = await computeLinkCommitment(tablet, Uint8Array.from(randomBytes(32)));
  const { id } = await begin(atTablet, { commitment });
  const results = await Promise.allSettled([go(ada, id, challenge()), go(atPhone, id, challenge())]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const loser = results[0].status === 'rejected' ? ada : atPhone;
  expect(await captureRefusal(get(loser, id))).toMatchObject(missing);
  expect(await linksOf(loser)).toEqual([]);
});

test('a link belongs to its account, and is offered once', async () => {
  const { ada, atPhone, phone, offer, laptop } = await withNewDevice();
  const mallory = await identity.signUp('Mallory');
  expect(await captureRefusal(begin(mallory, { offer }))).toMatchObject(refused('subject'));
  expect(await captureRefusal(begin(atPhone, { offer: Uint8Array.from(randomBytes(100)) }))).toMatchObject(
    refused('malformed'),
  );
  const forged = await createTestOffer({ ...phone, key: laptop.key });
  expect(await captureRefusal(begin(atPhone, { offer: forged }))).toMatchObject(refused('signature'));
  const listed = await createTestOffer(laptop);
  expect(await captureRefusal(begin(atPhone, { offer: listed }))).toMatchObject(conflict);
  await begin(atPhone, { offer });
  expect(await captureRefusal(begin(await alsoAt(ada), { offer }))).toMatchObject(conflict);
  expect(await captureRefusal(get(mallory, phone.uuid))).toMatchObject(missing);
  expect(await captureRefusal(go(mallory, phone.uuid, answering()))).toMatchObject(missing);
  expect(await captureRefusal(end(mallory, phone.uuid))).toMatchObject(missing);
  expect(await captureRefusal(get(ada, newId()))).toMatchObject(missing);
  expect(await captureRefusal(get(ada, 'nothing'))).toMatchObject(missing);
  const tooLong = { offer: new Uint8Array(limits.linkOfferBytes + 1) };
  expect(await captureRefusal(begin(await alsoAt(ada), tooLong))).toMatchObject(refused('malformed'));
  expect(await captureRefusal(begin(atPhone, { commitment: new Uint8Array(31) }))).toMatchObject(refused('malformed'));
  const tooMuch = Buffer.alloc(limits.linkAnswerBytes + 1);
  expect(await captureRefusal(go(ada, phone.uuid, answering(tooMuch)))).toMatchObject(refused('malformed'));
  expect(await captureRefusal(go(atPhone, phone.uuid, confirming(tooMuch)))).toMatchObject(refused('malformed'));
  expect(await captureRefusal(go(ada, phone.uuid, undefined))).toMatchObject({ code: 'invalid_request' });
});

test('a link ends after ten minutes, by either side, and with the session that began it', async () => {
  const { ada, atPhone, phone, offer, laptop, first } = await withNewDevice();
  await begin(atPhone, { offer });
  identity.clock.advance(limits.deviceLinkSeconds * 1000 - 1);
  await get(ada, phone.uuid);
  identity.clock.advance(1);
  expect(await captureRefusal(get(ada, phone.uuid))).toMatchObject(missing);
  expect(await captureRefusal(go(ada, phone.uuid, answering()))).toMatchObject(missing);
  // The device is tied to no session now, so it is suspended until it claims one.
  await sendList(ada, await signNextList(first.checked, laptop, { add: [phone] }));
  const own = await identity.keys.getOwnKeys({ ...testCallerOf(ada), after: undefined });
  expect(own.account!.suspended).toEqual([phone.uuid]);
  const next = async (person: TestPerson) =>
    (await begin(person, { offer: await createTestOffer(await createTestDevice(ada.id)) })).id!;
  for (const side of [ada, atPhone]) {
    const id = await next(atPhone);
    await end(side, id);
    expect(await captureRefusal(get(atPhone, id))).toMatchObject(missing);
    expect(await captureRefusal(end(side, id))).toMatchObject(missing);
  }
  const id = await next(atPhone);
  await identity.client.endSession({ actorId: ada.id, sessionId: atPhone.sessionId });
  expect(await captureRefusal(get(ada, id))).toMatchObject(missing);
});
