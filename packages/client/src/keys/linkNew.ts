import { routes, type DeviceLink, type OwnKeys } from '@nolo/api';
import {
  computeLinkCommitment,
  computeLinkDigits,
  createLinkCode,
  encodeOffer,
  equalBytes,
  findDevice,
  openLinkAnswer,
  randomBytes,
  readPin,
  Refusal,
  sealLinkDone,
  toPin,
  writeLinkCode,
  type Bytes,
  type Pin,
} from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import { hasList, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { deviceKey, ensureUnlistedDevice, firstBoxKeysOf, type ReadyDevice } from './deviceKeys.ts';
import { checkReply } from './fetchChain.ts';
import { KeysError } from './keysError.ts';
import { ended, storeLink, transcriptOf, type LinkRecord, type NewCodeLink, type NewDigitsLink } from './linkRecord.ts';
import type { LinkFailure } from './types.ts';
import { loadVault } from './vault.ts';
import { toQueued } from './vaultAppend.ts';
import { fromText, toText } from './wire.ts';
import { fetchOwn, isJoined, ownKey, reloadDevice, type Work } from './work.ts';

/** Linking as the new device (docs/encryption.md, section 3). */

const offerOf = (ready: ReadyDevice): Bytes =>
  encodeOffer({
    device: ready.device.id,
    kind: ready.device.kind,
    signKey: ready.device.signing.publicKey,
    boxKeys: firstBoxKeysOf(ready),
  });

/**
 * Begins a link, which the storage has before its code is shown. A device that a list of the server contains, but that
 * never joined, makes other keys.
 *
 * @throws ApiError
 */
export async function beginNewLink(context: KeyContext, work: Work, way: 'code' | 'digits'): Promise<LinkRecord> {
  if (isJoined(work)) throw new KeysError('not_allowed', 'This device is a device of the account already.');
  const { device, served } = work;
  const isTaken =
    device !== undefined && served !== undefined && findDevice(served.newest.list, device.id) !== undefined;
  const ready = await ensureUnlistedDevice(context, isTaken);
  await reloadDevice(context, work);
  const offer = offerOf(ready);
  if (way === 'code') {
    const code = await createLinkCode(ready.device.id, offer);
    const link = await context.call(routes.beginDeviceLink, { body: { offer: toText(offer) } });
    const content = toText(writeLinkCode(code));
    const { id, expiresAt } = link;
    return storeLink(context, { is: 'newCode', id, expiresAt, code, content, pin: null });
  }
  const newRandom = randomBytes(32);
  const commitment = toText(await computeLinkCommitment(offer, newRandom));
  const { id, expiresAt } = await context.call(routes.beginDeviceLink, { body: { commitment } });
  return storeLink(context, { is: 'newDigits', id, expiresAt, offer, newRandom, answer: null, isTyped: false });
}

/** Fetches the link. Returns null once it has ended. */
export async function fetchLink({ call }: KeyContext, id: string): Promise<DeviceLink | null> {
  try {
    return await call(routes.getDeviceLink, { params: { id } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

async function fail(context: KeyContext, link: NewCodeLink | NewDigitsLink, failure: LinkFailure): Promise<LinkRecord> {
  return storeLink(context, ended(link, failure));
}

/** Takes the old device's answer: the list that contains this device. */
async function takeAnswer(context: KeyContext, link: NewCodeLink): Promise<LinkRecord> {
  const served = await fetchLink(context, link.id);
  if (!served) return fail(context, link, 'expired');
  if (served.answer === null) return link;
  const pin = await openLinkAnswer(link.code, fromText(served.answer));
  if (!equalBytes(pin.account, context.account)) return fail(context, link, 'refused');
  return storeLink(context, { ...link, pin });
}

/** Takes the old device's random bytes and list, and only then opens the commitment. */
async function takeChallenge(context: KeyContext, link: NewDigitsLink): Promise<LinkRecord> {
  const served = await fetchLink(context, link.id);
  if (!served) return fail(context, link, 'expired');
  let current = link;
  if (!current.answer) {
    if (served.oldRandom === null || served.head === null) return link;
    const head = fromText(served.head);
    if (!equalBytes(readPin(head).account, context.account)) return fail(context, link, 'refused');
    current = await storeLink(context, { ...link, answer: { oldRandom: fromText(served.oldRandom), head } });
  }
  // Only the first answer counts.
  const isSame = served.head === toText(current.answer?.head ?? new Uint8Array());
  if (!isSame || served.oldRandom !== toText(current.answer?.oldRandom ?? new Uint8Array()))
    return fail(context, link, 'refused');
  const { offer, newRandom } = current;
  if (served.newRandom === null) {
    const body = { random: toText(newRandom), offer: toText(offer) };
    await context.call(routes.openDeviceLink, { params: { id: link.id }, body });
  }
  return current;
}

/** Digits that this device shows; null before the commitment is opened. */
export async function newDigitsOf(link: NewDigitsLink): Promise<string | null> {
  const transcript = transcriptOf(link);
  return transcript && (await computeLinkDigits(transcript)).shownByNew;
}

/** Takes the old device's digits. There is one try. */
export async function typeOnNew(context: KeyContext, link: NewDigitsLink, digits: string): Promise<LinkRecord> {
  const transcript = transcriptOf(link);
  if (!transcript || link.isTyped) throw new KeysError('no_link', 'The link does not wait for digits.');
  if ((await computeLinkDigits(transcript)).shownByOld !== digits) {
    const failed = await fail(context, link, 'wrong_digits');
    await endLink(context, link.id);
    return failed;
  }
  return storeLink(context, { ...link, isTyped: true });
}

/** Ends a link on the server. That it is gone already is fine. */
export async function endLink({ call }: KeyContext, id: string): Promise<void> {
  try {
    await call(routes.endDeviceLink, { params: { id } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing) throw error;
  }
}

/** Tells the old device that its digits were typed here. The same bytes are sent until it acts. */
async function confirm(context: KeyContext, link: NewDigitsLink): Promise<void> {
  const transcript = transcriptOf(link);
  if (!transcript) return;
  const body = { done: toText(await sealLinkDone(transcript)) };
  try {
    await context.call(routes.confirmDeviceLink, { params: { id: link.id }, body });
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing) throw error;
  }
}

type Joining = 'joined' | 'waiting' | 'refused';

/** Looks for the list that the old device named, or one in order after it, with this device. */
async function findChain(context: KeyContext, device: Bytes, expected: Pin): Promise<[Joining, Chain?, OwnKeys?]> {
  const reply = await fetchOwn(context);
  const { chain, verdict } = await checkReply(undefined, reply, (query) => fetchOwn(context, query));
  if (!chain) return [verdict === 'none' ? 'waiting' : 'refused'];
  if (!equalBytes(chain.identity, expected.identity)) return ['refused'];
  if (chain.newest.list.n < expected.n) return ['waiting'];
  if (!hasList(chain, expected)) return ['refused'];
  return findDevice(chain.newest.list, device) ? ['joined', chain, reply] : ['waiting'];
}

/**
 * Joins the account if the list is the one that the old device named, or in order after it.
 *
 * @returns `waiting` while the server does not show it, `refused` while it shows another account
 */
async function join(context: KeyContext, work: Work, expected: Pin): Promise<Joining> {
  const { device } = work;
  if (!device) throw new KeysError('not_ready', 'The device that was linked is gone.');
  const [found, chain, reply] = await findChain(context, device.id, expected);
  if (found !== 'joined' || !chain) return found;
  const known = work.own;
  const replaced = known && !equalBytes(known.chain.identity, chain.identity) ? [known.chain.identity] : [];
  const own = { chain, replaced: [...(known?.replaced ?? []), ...replaced] };
  const listed = { ...device, isListed: true };
  const vault = await loadVault(context, chain);
  const pin = { kind: 'pin', ...toPin(chain.newest), replaced: null, counter: 0 } as const;
  const values = await toQueued(context, vault.id, [pin]);
  await context.store.write({ ...values, [ownKey]: own, [deviceKey]: listed });
  Object.assign(work, {
    own,
    vault,
    reply,
    device: listed,
    served: undefined,
    verdict: 'same',
  } satisfies Partial<Work>);
  return 'joined';
}

/** List that the old device named, once the user has confirmed the link on this side. */
function expectedOf(link: NewCodeLink | NewDigitsLink): Pin | null {
  if (link.is === 'newCode') return link.pin;
  return link.isTyped && link.answer ? readPin(link.answer.head) : null;
}

/**
 * Continues a link as far as the other side allows.
 *
 * @returns the link, which is `ended` without a failure once this device has joined
 * @throws ApiError if the server cannot be asked
 */
export async function continueNewLink(
  context: KeyContext,
  work: Work,
  given: NewCodeLink | NewDigitsLink,
): Promise<LinkRecord> {
  let link = given;
  try {
    if (!expectedOf(link)) {
      const taken = link.is === 'newCode' ? await takeAnswer(context, link) : await takeChallenge(context, link);
      if (taken.is !== 'newCode' && taken.is !== 'newDigits') return taken;
      link = taken;
    }
    const expected = expectedOf(link);
    if (!expected) return link;
    if (!isJoined(work)) {
      if (link.is === 'newDigits') await confirm(context, link);
      const joining = await join(context, work, expected);
      // A link that the other side confirmed waits: the server may show the list later.
      if (joining !== 'joined' && link.is === 'newDigits' && !(await fetchLink(context, link.id)))
        return await fail(context, link, joining === 'refused' ? 'refused' : 'expired');
    }
    return link;
  } catch (error) {
    if (error instanceof Refusal) return fail(context, link, 'refused');
    throw error;
  }
}
