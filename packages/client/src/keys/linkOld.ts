import { routes, type DeviceLink } from '@nolo/api';
import {
  assertLinkDone,
  assertOffered,
  assertOpens,
  checkOffer,
  computeLinkDigits,
  encodePin,
  findDevice,
  randomBytes,
  readLinkCode,
  Refusal,
  sealLinkAnswer,
  toUuid,
  type Bytes,
} from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import { pinOf } from './chains.ts';
import type { KeyContext } from './context.ts';
import { KeysError } from './keysError.ts';
import { endLink, fetchLink } from './linkNew.ts';
import { ended, storeLink, transcriptOf, type LinkRecord, type OldCodeLink, type OldDigitsLink } from './linkRecord.ts';
import { submitList } from './lists.ts';
import type { LinkFailure, LinkRequest } from './types.ts';
import type { VaultReader } from './vaultState.ts';
import { fromText, toText } from './wire.ts';
import { requireOpen, type Work } from './work.ts';

/** Linking as the old device (docs/encryption.md, section 3). */

const dayMs = 86_400_000;
const maxTriesPerDay = 3;
const triesKey = 'linkTries';

const refused = (side: 'old', failure: LinkFailure): LinkRecord => ({ is: 'ended', side, failure });

/** Takes a scanned code: fetches what the new device offers, and checks that the code is of it. */
export async function scanCode(context: KeyContext, work: Work, content: string): Promise<LinkRecord> {
  requireOpen(work);
  try {
    const code = readLinkCode(fromText(content));
    const id = toUuid(code.device);
    const link = await fetchLink(context, id);
    if (!link) return await storeLink(context, refused('old', 'expired'));
    const offer = fromText(link.offer ?? '');
    await assertOffered(code, offer);
    await checkOffer(offer, context.account);
    const { expiresAt, userAgent: deviceName, place } = link;
    const record = { id, expiresAt, deviceName, place, code, offer };
    return await storeLink(context, { is: 'oldCode', ...record, isConfirmed: false, answer: null });
  } catch (error) {
    if (error instanceof Refusal) return storeLink(context, refused('old', 'refused'));
    throw error;
  }
}

/** Counts a try before it is made. Returns false after three within 24 hours. */
async function countTry({ store, now }: KeyContext): Promise<boolean> {
  const tries = ((await store.read<number[]>(triesKey)) ?? []).filter((at) => Math.abs(now() - at) < dayMs);
  if (tries.length >= maxTriesPerDay) return false;
  await store.write({ [triesKey]: [...tries, now()] });
  return true;
}

/** Answers a commitment with random bytes and this device's newest list. */
export async function answerRequest(context: KeyContext, work: Work, id: string): Promise<LinkRecord> {
  const { own } = requireOpen(work);
  const link = await fetchLink(context, id);
  if (!link || link.commitment === null) return storeLink(context, refused('old', 'expired'));
  if (!(await countTry(context))) return storeLink(context, refused('old', 'too_many'));
  const { expiresAt, userAgent: deviceName, place } = link;
  return storeLink(context, {
    is: 'oldDigits',
    id,
    expiresAt,
    deviceName,
    place,
    commitment: fromText(link.commitment),
    oldRandom: randomBytes(32),
    head: encodePin(pinOf(own.chain)),
    opening: null,
    isTyped: false,
    isDone: false,
  });
}

/** Lists the devices that ask to be linked by digits. */
export async function listRequests(context: KeyContext, ids: readonly string[]): Promise<LinkRequest[]> {
  const links = await Promise.all(ids.map((id) => fetchLink(context, id)));
  return links.flatMap((link) => {
    if (!link || link.own || link.state !== 'committed') return [];
    return [{ linkId: link.id, deviceName: link.userAgent, place: link.place }];
  });
}

const fail = (context: KeyContext, link: OldCodeLink | OldDigitsLink, failure: LinkFailure): Promise<LinkRecord> =>
  storeLink(context, ended(link, failure));

/** Digits that this device shows; null before the commitment is opened. */
export async function oldDigitsOf(link: OldDigitsLink): Promise<string | null> {
  const transcript = transcriptOf(link);
  return transcript && (await computeLinkDigits(transcript)).shownByOld;
}

/** Sends the challenge if it has not arrived, and takes the one opening. */
async function takeOpening(context: KeyContext, link: OldDigitsLink): Promise<LinkRecord> {
  let served: DeviceLink | null = await fetchLink(context, link.id);
  if (served?.oldRandom === null) {
    const body = { random: toText(link.oldRandom), head: toText(link.head) };
    served = await context.call(routes.challengeDeviceLink, { params: { id: link.id }, body });
  }
  if (!served) return fail(context, link, 'expired');
  // A second old device answered first.
  if (served.oldRandom !== toText(link.oldRandom)) return fail(context, link, 'refused');
  if (served.offer === null || served.newRandom === null) return link;
  const opening = { offer: fromText(served.offer), newRandom: fromText(served.newRandom) };
  await assertOpens(link.commitment, opening.offer, opening.newRandom);
  await checkOffer(opening.offer, context.account);
  return storeLink(context, { ...link, opening });
}

/** Takes the new device's digits. There is one try. */
export async function typeOnOld(context: KeyContext, given: OldDigitsLink, digits: string): Promise<LinkRecord> {
  const link = given.opening ? given : await guarded(context, given, () => takeOpening(context, given));
  if (link.is !== 'oldDigits') return link;
  const transcript = transcriptOf(link);
  if (!transcript || link.isTyped) throw new KeysError('no_link', 'The link does not wait for digits.');
  if ((await computeLinkDigits(transcript)).shownByNew !== digits) {
    const failed = await fail(context, link, 'wrong_digits');
    await endLink(context, link.id);
    return failed;
  }
  return storeLink(context, { ...link, isTyped: true });
}

/** Waits for the new device to say that this device's digits were typed there. */
async function takeDone(context: KeyContext, link: OldDigitsLink): Promise<LinkRecord> {
  const served = await fetchLink(context, link.id);
  if (!served) return fail(context, link, 'expired');
  const transcript = transcriptOf(link);
  if (served.done === null || !transcript) return link;
  await assertLinkDone(transcript, fromText(served.done));
  return storeLink(context, { ...link, isDone: true });
}

/** Signs the list that adds the offered device, unless it is listed already. */
async function addOffered(context: KeyContext, work: Work, reader: VaultReader, offer: Bytes): Promise<void> {
  const { device, kind, signKey, boxKeys } = await checkOffer(offer, context.account);
  if (work.own && findDevice(work.own.chain.newest.list, device)) return;
  await submitList(context, work, reader, async () => ({
    purpose: 'link',
    add: [{ id: device, kind: kind === 0 ? 0 : 1, signKey }],
    boxKeys: [boxKeys],
  }));
}

/** Sends the list to the device whose code was scanned. The answer is stored first, because its nonce is random. */
async function sendAnswer(context: KeyContext, work: Work, link: OldCodeLink): Promise<LinkRecord> {
  const { own } = requireOpen(work);
  const answer = link.answer ?? (await sealLinkAnswer(link.code, pinOf(own.chain)));
  if (!link.answer) await storeLink(context, { ...link, answer });
  try {
    await context.call(routes.answerDeviceLink, { params: { id: link.id }, body: { answer: toText(answer) } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing) throw error;
    if (error.status === 404) return fail(context, link, 'expired');
  }
  return storeLink(context, ended(link, null));
}

async function guarded(
  context: KeyContext,
  link: OldCodeLink | OldDigitsLink,
  task: () => Promise<LinkRecord>,
): Promise<LinkRecord> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof Refusal) return fail(context, link, 'refused');
    throw error;
  }
}

/** Confirms the device whose code was scanned. */
export function confirmScanned(context: KeyContext, link: LinkRecord | undefined): Promise<LinkRecord> {
  if (link?.is !== 'oldCode') throw new KeysError('no_link', 'No code was scanned.');
  return storeLink(context, { ...link, isConfirmed: true });
}

/**
 * Continues a link as far as the other side allows.
 *
 * @throws ApiError if the server cannot be asked, or refuses the list
 */
export function continueOldLink(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  link: OldCodeLink | OldDigitsLink,
): Promise<LinkRecord> {
  return guarded(context, link, async () => {
    if (link.is === 'oldCode') {
      if (!link.isConfirmed) return link;
      if (!link.answer) await addOffered(context, work, reader, link.offer);
      return sendAnswer(context, work, link);
    }
    let current: LinkRecord = link;
    if (!link.opening) current = await takeOpening(context, link);
    if (current.is === 'oldDigits' && current.isTyped && !current.isDone) current = await takeDone(context, current);
    if (current.is !== 'oldDigits' || !current.isDone || !current.opening) return current;
    await addOffered(context, work, reader, current.opening.offer);
    return storeLink(context, ended(current, null));
  });
}
