import { equalBytes, fromUuid } from './bytes.ts';
import { createBoxKeyPairs, signBoxKeys, toPublicBoxKeys } from './boxKeys.ts';
import {
  assertLinkDone,
  assertOffered,
  assertOpens,
  checkOffer,
  computeLinkCommitment,
  computeLinkDigits,
  createLinkCode,
  encodeOffer,
  openLinkAnswer,
  readLinkCode,
  sealLinkAnswer,
  sealLinkDone,
  writeLinkCode,
} from './linking.ts';
import { deviceIdOf } from './lists.ts';
import { createSigningKey, randomBytes } from './primitives.ts';

const account = fromUuid('0190a000-0000-7000-8000-000000000001');
const list = { account, identity: randomBytes(32), n: 1, hash: randomBytes(32) };

async function anOffer(of = account, number = 0) {
  const key = await createSigningKey();
  const device = await deviceIdOf(of, key.publicKey);
  const keys = toPublicBoxKeys(await createBoxKeyPairs());
  const boxKeys = await signBoxKeys(key, { account: of, device, number, keys, at: 1 });
  return { device, offer: encodeOffer({ device, kind: 0, signKey: key.publicKey, boxKeys }) };
}

test('with a camera, only the device that scanned the code can answer, and only for this offer', async () => {
  const { device, offer } = await anOffer();
  const code = await createLinkCode(device, offer);
  const scanned = readLinkCode(writeLinkCode(code));
  await assertOffered(scanned, offer);
  expect((await checkOffer(offer, account)).device).toEqual(device);
  const answer = await sealLinkAnswer(scanned, list);
  expect(await openLinkAnswer(code, answer)).toEqual(list);

  const { offer: swapped } = await anOffer();
  await expect(assertOffered(scanned, swapped)).rejects.toMatchObject({ code: 'subject' });
  const guessed = await sealLinkAnswer({ ...scanned, secret: randomBytes(32) }, list);
  await expect(openLinkAnswer(code, guessed)).rejects.toMatchObject({ code: 'unopened' });
  await expect(openLinkAnswer({ ...code, offerHash: randomBytes(32) }, answer)).rejects.toMatchObject({
    code: 'unopened',
  });
});

test('an offer is signed by its own device, for this account, with first box keys', async () => {
  const { offer } = await anOffer();
  await expect(checkOffer(offer, randomBytes(16))).rejects.toMatchObject({ code: 'subject' });
  await expect(checkOffer((await anOffer(account, 1)).offer, account)).rejects.toMatchObject({ code: 'subject' });
  const { offer: another } = await anOffer();
  const mixed = Uint8Array.from([...offer.subarray(0, -64), ...another.subarray(-64)]);
  await expect(checkOffer(mixed, account)).rejects.toMatchObject({ code: 'signature' });
  await expect(checkOffer(offer.subarray(1), account)).rejects.toMatchObject({ code: 'malformed' });
});

test('without a camera, both devices show digits of what both saw', async () => {
  const { offer } = await anOffer();
  const [newRandom, oldRandom] = [randomBytes(32), randomBytes(32)];
  const commitment = await computeLinkCommitment(offer, newRandom);
  await assertOpens(commitment, offer, newRandom);
  const transcript = { offer, list, newRandom, oldRandom };
  const digits = await computeLinkDigits(transcript);
  expect(digits.shownByNew).toMatch(/^\d{7}$/);
  expect(digits.shownByOld).toMatch(/^\d{7}$/);
  expect(await computeLinkDigits({ ...transcript })).toEqual(digits);
  const done = await sealLinkDone(transcript);
  await assertLinkDone(transcript, done);
  for (const other of [
    { offer: (await anOffer()).offer },
    { list: { ...list, hash: randomBytes(32) } },
    { newRandom: randomBytes(32) },
    { oldRandom: randomBytes(32) },
  ]) {
    expect(await computeLinkDigits({ ...transcript, ...other })).not.toEqual(digits);
    await expect(assertLinkDone({ ...transcript, ...other }, done)).rejects.toMatchObject({ code: 'unopened' });
  }
});

test('who learns the other side before committing cannot choose another opening', async () => {
  const { offer } = await anOffer();
  const own = randomBytes(32);
  const commitment = await computeLinkCommitment(offer, own);
  await expect(assertOpens(commitment, offer, randomBytes(32))).rejects.toMatchObject({ code: 'subject' });
  const { offer: swapped } = await anOffer();
  expect(equalBytes(swapped, offer)).toBe(false);
  await expect(assertOpens(commitment, swapped, own)).rejects.toMatchObject({ code: 'subject' });
});
