import { concatBytes, toHex, type Bytes } from '../../src/bytes.ts';
import { signBoxKeys, toPublicBoxKeys } from '../../src/boxKeys.ts';
import { encodeCanonical } from '../../src/encoding.ts';
import {
  checkOffer,
  computeLinkCommitment,
  computeLinkDigits,
  createLinkCode,
  encodeOffer,
  openLinkAnswer,
  readLinkCode,
  sealLinkAnswer,
  writeLinkCode,
  type LinkCode,
} from '../../src/linking.ts';
import { toPin, type CheckedList } from '../../src/lists.ts';
import { signStatement } from '../../src/statements.ts';
import { boxKeyPairsOf } from './accounts.ts';
import { account, at, bytesOf, changeByte, codeOf, deviceOf, pinToJson } from './make.ts';

const device = deviceOf('linked', 1);

async function offerOf({ of = account, number = 0, by = device, kind = device.kind, id = device.id } = {}) {
  const keys = toPublicBoxKeys(await boxKeyPairsOf('linked'));
  const boxKeys = await signBoxKeys(by.key, { account: of, device: id, number, keys, at });
  return encodeOffer({ device: device.id, kind, signKey: device.signKey, boxKeys });
}

async function makeOffers(offer: Bytes) {
  const { body, signature } = await signStatement('boxkeys', device.key, [1]);
  const cases: [why: string, offer: Bytes][] = [
    ['an offer', offer],
    ['an offer of a browser', await offerOf({ kind: 0 })],
    ['an offer of a token', await offerOf({ kind: 2 })],
    ['an offer for another account', await offerOf({ of: bytesOf('else', 16) })],
    ['an offer with renewed box keys', await offerOf({ number: 1 })],
    ['an offer signed by another device', await offerOf({ by: deviceOf('stranger') })],
    ['an offer with box keys of another device', await offerOf({ id: bytesOf('stranger', 16) })],
    ['an offer with other bytes as box keys', encodeCanonical([1, device.id, 1, device.signKey, body, signature])],
    ['an offer of version 2', changeByte(offer, 1, () => 2)],
    ['a cut offer', offer.slice(0, -1)],
    ['an offer with a byte too many', concatBytes(offer, Uint8Array.of(0))],
  ];
  return Promise.all(
    cases.map(async ([why, one]) => ({
      why,
      account: toHex(account),
      offer: toHex(one),
      code: await codeOf(() => checkOffer(one, account)),
    })),
  );
}

async function makeCodes(code: LinkCode) {
  const written = writeLinkCode(code);
  const refused: [why: string, code: Bytes][] = [
    ['version 2', changeByte(written, 1, () => 2)],
    ['a byte too few', written.slice(0, -1)],
    ['a byte too many', concatBytes(written, Uint8Array.of(0))],
    ['no secret', encodeCanonical([1, code.device, code.offerHash])],
    ['a short secret', encodeCanonical([1, code.device, code.offerHash, code.secret.slice(1)])],
  ];
  for (const [why, one] of refused)
    if ((await codeOf(() => readLinkCode(one))) === null) throw new Error(`${why} was accepted`);
  return {
    accepted: [
      {
        device: toHex(code.device),
        offerHash: toHex(code.offerHash),
        secret: toHex(code.secret),
        code: toHex(written),
      },
    ],
    refused: refused.map(([why, one]) => ({ why, code: toHex(one) })),
  };
}

async function makeAnswers(code: LinkCode, checked: CheckedList) {
  const pin = toPin(checked);
  const answer = await sealLinkAnswer(code, pin);
  const cases: [why: string, code: LinkCode, answer: Bytes][] = [
    ['an answer', code, answer],
    ['an answer to another secret', { ...code, secret: bytesOf('guess') }, answer],
    ['an answer to another device', { ...code, device: bytesOf('stranger', 16) }, answer],
    ['an answer to another offer', { ...code, offerHash: bytesOf('swapped') }, answer],
    ['a changed answer', code, changeByte(answer, -1, (byte) => byte ^ 1)],
    ['a cut answer', code, answer.slice(0, -1)],
    ['an answer with a byte too many', code, concatBytes(answer, Uint8Array.of(0))],
    ['an answer with a field too many', code, encodeCanonical([new Uint8Array(12), new Uint8Array(112), 0])],
    ['an answer without a tag', code, encodeCanonical([new Uint8Array(12), new Uint8Array(3)])],
  ];
  return Promise.all(
    cases.map(async ([why, one, bytes]) => {
      const refusal = await codeOf(() => openLinkAnswer(one, bytes));
      return {
        why,
        code: toHex(writeLinkCode(one)),
        answer: toHex(bytes),
        pin: refusal ? null : pinToJson(pin),
        refusal,
      };
    }),
  );
}

async function makeDigits(offer: Bytes, checked: CheckedList) {
  const list = toPin(checked);
  return Promise.all(
    ['first', 'second', 'third'].map(async (name) => {
      const [newRandom, oldRandom] = [bytesOf(`${name}: new`), bytesOf(`${name}: old`)];
      return {
        offer: toHex(offer),
        list: pinToJson(list),
        newRandom: toHex(newRandom),
        oldRandom: toHex(oldRandom),
        commitment: toHex(await computeLinkCommitment(offer, newRandom)),
        ...(await computeLinkDigits({ offer, list, newRandom, oldRandom })),
      };
    }),
  );
}

/** Linking of devices, with and without a camera. */
export async function makeLinking(checked: CheckedList) {
  const offer = await offerOf();
  const code = await createLinkCode(device.id, offer);
  return {
    offers: await makeOffers(offer),
    codes: await makeCodes(code),
    answers: await makeAnswers(code, checked),
    digits: await makeDigits(offer, checked),
  };
}
