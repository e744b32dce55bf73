import type { DeviceLink, OwnKeys } from '@nolo/api';
import {
  createBoxKeyPairs,
  createSigningKey,
  deviceIdOf,
  encodeOffer,
  fromUuid,
  randomBytes,
  signBoxKeys,
  toPublicBoxKeys,
} from '@nolo/e2ee';
import { idOf, isQuiet, World } from '../../tests/keys/keyDevices.ts';
import { beginDigits, fieldOf, isAt, linkByCode, linkByDigits, linkOf } from '../../tests/keys/linking.ts';
import { toText } from './wire.ts';

/** A server that lies during a link: nothing that it made up is added, and the link works once it is honest. */

const ann = idOf(1);
let world: World;

beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

/** Offer of a device that the server made up. */
async function fakeOffer() {
  const key = await createSigningKey();
  const account = fromUuid(ann);
  const device = await deviceIdOf(account, key.publicKey);
  const keys = toPublicBoxKeys(await createBoxKeyPairs());
  const boxKeys = await signBoxKeys(key, { account, device, number: 0, keys, at: 1 });
  return encodeOffer({ device, kind: 0, signKey: key.publicKey, boxKeys });
}

test('a swapped offer is not the one of the scanned code', async () => {
  const first = await world.ready(ann);
  const fresh = await world.ready(ann);
  const offer = toText(await fakeOffer());
  await fresh.keys.beginLink('code');
  const stop = world.server.lie('getDeviceLink', (link: DeviceLink) => ({ ...link, offer }));
  await first.keys.scanLinkCode(fieldOf(fresh, 'code') ?? '');
  expect(linkOf(first)).toEqual({ side: 'old', step: 'failed', reason: 'refused' });
  stop();
  await linkByCode(world, fresh, first);
});

test('an opening of another offer is refused', async () => {
  const first = await world.ready(ann);
  const fresh = await world.ready(ann);
  const offer = toText(await fakeOffer());
  const stop = world.server.lie('getDeviceLink', (link: DeviceLink, session) =>
    session.id === first.session.id && link.offer !== null ? { ...link, offer } : link,
  );
  await beginDigits(world, fresh, first);
  await world.until(() => isAt(first, 'failed'));
  expect(linkOf(first)).toEqual({ side: 'old', step: 'failed', reason: 'refused' });
  stop();
  await fresh.keys.cancelLink();
  await linkByDigits(world, fresh, first);
});

test('a list of another account than the old device named is not joined', async () => {
  const first = await world.ready(ann);
  const fresh = await world.ready(ann);
  const attacker = new World();
  await attacker.ready(ann);
  const theirs = attacker.server.account(ann).chains[0]?.[0];
  await fresh.keys.beginLink('code');
  const stop = world.server.lie('getOwnKeys', (reply: OwnKeys, session) =>
    session.id === fresh.session.id
      ? { ...reply, newest: { chain: 0, n: 0 }, lists: [{ chain: 0, n: 0, ...theirs }], more: false }
      : reply,
  );
  await first.keys.scanLinkCode(fieldOf(fresh, 'code') ?? '');
  await first.keys.confirmLink();
  await world.until(() => isAt(fresh, 'finishing'));
  await world.pass(10_000);
  expect(fresh.state.deviceId).toBeNull();
  expect(fresh.state.link).toMatchObject({ step: 'finishing', part: 'list' });
  stop();
  await world.until(() => isAt(fresh, 'done') && isQuiet(fresh));
});

test('an answer that the scanner did not seal is refused', async () => {
  const first = await world.ready(ann);
  const fresh = await world.ready(ann);
  await fresh.keys.beginLink('code');
  const answer = toText(randomBytes(64));
  const stop = world.server.lie('getDeviceLink', (link: DeviceLink) => ({ ...link, answer }));
  await world.until(() => isAt(fresh, 'failed'));
  stop();
  await linkByCode(world, fresh, first);
});
