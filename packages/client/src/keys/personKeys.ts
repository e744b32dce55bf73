import {
  compareVerificationCode,
  computeSafetyNumber,
  equalBytes,
  fromUuid,
  readVerificationCode,
  Refusal,
  toUuid,
  writeVerificationCode,
  type Bytes,
  type VaultRecord,
  type VaultState,
} from '@nolo/e2ee';
import { askedAgainOf, toAcceptance, type AskedAgain } from './askedAgain.ts';
import { listAt, pinOf, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { KeysError } from './keysError.ts';
import {
  acceptOther,
  decisionsOf,
  fetchPeople,
  isContradicted,
  newerPinOf,
  readDecisions,
  readPerson,
  shownChainOf,
  toSetAside,
  toVerified,
  tryFetchPeople,
  type Decisions,
  type Person,
} from './people.ts';
import type { PersonKeys, ScanVerdict } from './types.ts';
import { toQueued } from './vaultAppend.ts';
import type { VaultReader } from './vaultState.ts';
import { fromText, toText } from './wire.ts';
import { isJoined, requireJoined, type Work } from './work.ts';

/** People's keys as the screen shows them, and decisions of the user about them. */

/** Reason why nothing is sent to a person. */
function blockOf(person: Person, decisions: Decisions): PersonKeys['blocked'] {
  const { verdict, chain } = person;
  const { pin } = decisions;
  if (verdict === 'version') return 'version';
  if (verdict === 'fork' || verdict === 'refused') return 'fork';
  if (verdict === 'old') return 'old';
  if (!chain || !pin || !equalBytes(pin.record.identity, chain.identity)) return null;
  // A device of the account saw a newer list, or another one with this number.
  if (newerPinOf(person, decisions)) return 'old';
  return isContradicted(chain, decisions) ? 'fork' : null;
}

function nameOfDevice(work: Work, names: Readonly<Record<string, string>>, device: Bytes | undefined): string | null {
  if (!device || (work.device && equalBytes(work.device.id, device))) return null;
  return names[toUuid(device)] ?? '';
}

function toPersonKeys(
  userId: string,
  person: Person | undefined,
  decisions: Decisions,
  asked: AskedAgain,
  nameFor: (device: Bytes | undefined) => string | null,
): PersonKeys {
  const { pin, acceptance, verified } = decisions;
  const chain = shownChainOf(person);
  if (!person || !chain) {
    const blocked = person ? blockOf(person, decisions) : null;
    return { userId, identity: 'none', verified: false, wasVerified: false, blocked, decidedOn: null };
  }
  const counting = person.chain;
  const isUnsettled =
    person.other !== null || !counting || (pin !== undefined && !equalBytes(pin.record.identity, counting.identity));
  const mark = verified?.record.isVerified === true ? verified : undefined;
  const isMarked = !isUnsettled && mark !== undefined && equalBytes(mark.record.identity, chain.identity);
  const isVerified = isMarked && !asked.mark;
  const isUndecided = asked.mark || asked.acceptance;
  const newer = newerPinOf(person, decisions);
  const decided = isMarked ? mark.author : acceptance?.author;
  return {
    userId,
    identity: isUnsettled ? 'changed' : isUndecided ? 'undecided' : 'known',
    verified: isVerified,
    wasVerified: (isUnsettled && mark !== undefined) || (isMarked && asked.mark),
    blocked: blockOf(person, decisions),
    decidedOn: nameFor(decided),
    ...(newer && { newerOn: nameFor(newer.author) ?? '' }),
  };
}

/**
 * Fetches and checks people's keys.
 *
 * @throws KeysError `not_ready`
 */
export async function lookUpPeople(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  userIds: readonly string[],
): Promise<PersonKeys[]> {
  await tryFetchPeople(context, work, reader, userIds);
  return describePeople(context, work, reader, userIds);
}

/** Returns what is known of people's keys. */
export async function describePeople(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  userIds: readonly string[],
): Promise<PersonKeys[]> {
  const state = await readDecisions(context, work, reader);
  const names = (await context.store.read<Record<string, string>>('deviceNames')) ?? {};
  const people: PersonKeys[] = [];
  for (const userId of userIds) {
    const account = fromUuid(userId);
    const person = await readPerson(context, account);
    const decisions = decisionsOf(state, account);
    const asked = askedAgainOf(work, { ...decisions, chain: person?.chain ?? null });
    people.push(toPersonKeys(userId, person, decisions, asked, (device) => nameOfDevice(work, names, device)));
  }
  return people;
}

/** Returns those people whom the user verified; nobody on a device without keys. */
export async function verifiedAmong(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  userIds: readonly string[],
): Promise<string[]> {
  if (!isJoined(work)) return [];
  const people = await describePeople(context, work, reader, userIds);
  return people.filter(({ verified }) => verified).map(({ userId }) => userId);
}

/** Returns what is known of a person, after a look at the server if nothing is. */
async function findPerson(context: KeyContext, work: Work, reader: VaultReader, userId: string) {
  const account = fromUuid(userId);
  const known = await readPerson(context, account);
  if (!known || !shownChainOf(known)) await fetchPeople(context, work, reader, [userId]);
  const person = known && shownChainOf(known) ? known : await readPerson(context, account);
  return { person, chain: shownChainOf(person) };
}

/** 60 digits of both identities; null if the person has no keys. */
export async function numberFor(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  userId: string,
): Promise<string | null> {
  const { own } = requireJoined(work);
  const { chain } = await findPerson(context, work, reader, userId);
  return chain && computeSafetyNumber(pinOf(own.chain), pinOf(chain));
}

/** Content of the QR code for a person; null if the person has no keys. */
export async function codeFor(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  userId: string,
): Promise<string | null> {
  const { own } = requireJoined(work);
  const { chain } = await findPerson(context, work, reader, userId);
  return chain && toText(writeVerificationCode(pinOf(own.chain), pinOf(chain)));
}

const hashIn =
  (chains: readonly Chain[]) =>
  (account: Bytes, n: number): Bytes | null =>
    chains.flatMap((chain) => (equalBytes(chain.account, account) ? (listAt(chain, n)?.hash ?? []) : [])).at(0) ?? null;

/** Compares a scanned code once. */
function compareOnce(own: Chain, other: Chain, content: Bytes): ScanVerdict | 'unknown_list' {
  try {
    compareVerificationCode(readVerificationCode(content), pinOf(own), pinOf(other), hashIn([own, other]));
    return 'verified';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'subject') return 'other_person';
    if (error.code === 'old') return 'unknown_list';
    if (error.code !== 'fork') return 'malformed';
    const { shower, scanner } = readVerificationCode(content);
    const isSame = equalBytes(shower.identity, other.identity) && equalBytes(scanner.identity, own.identity);
    return isSame ? 'diverged' : 'different';
  }
}

/** Stores that a person is verified, or no longer. Comparing numbers also accepts the identity that waits. */
async function mark(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  person: Person,
  isVerified: boolean,
): Promise<void> {
  const { vault } = requireJoined(work);
  const state = await readDecisions(context, work, reader);
  const accepted = isVerified ? await acceptOther(context, work, state, person) : { values: {}, person, pin: null };
  const { chain } = accepted.person;
  if (!chain) throw new KeysError('no_keys', 'The person has no keys.');
  const decisions = decisionsOf(state, chain.account);
  const isAsked = isVerified && askedAgainOf(work, { ...decisions, chain }).acceptance;
  const pins = accepted.pin ? [accepted.pin] : isAsked ? toAcceptance(state, chain, decisions) : [];
  const records: VaultRecord[] = [...pins, toVerified(state, chain, isVerified)];
  await context.store.write({ ...accepted.values, ...(await toQueued(context, vault.id, records)) });
}

/** Compares a person's code with what this device knows, and marks the person as verified if both agree. */
export async function scanCodeOf(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  userId: string,
  text: string,
  refresh: () => Promise<void>,
): Promise<ScanVerdict> {
  let content: Bytes;
  try {
    content = fromText(text);
    readVerificationCode(content);
  } catch {
    return 'malformed';
  }
  const compared = async (): Promise<ScanVerdict | 'unknown_list'> => {
    const { chain } = await findPerson(context, work, reader, userId);
    return chain ? compareOnce(requireJoined(work).own.chain, chain, content) : 'different';
  };
  let verdict = await compared();
  if (verdict === 'unknown_list' || verdict === 'different') {
    await refresh();
    await fetchPeople(context, work, reader, [userId]);
    verdict = await compared();
  }
  if (verdict === 'unknown_list') return 'diverged';
  const person = await readPerson(context, fromUuid(userId));
  if (verdict === 'verified' && person) await mark(context, work, reader, person, true);
  return verdict;
}

/** @throws KeysError `no_keys` */
export async function setPersonVerified(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  userId: string,
  isVerified: boolean,
): Promise<void> {
  const { person } = await findPerson(context, work, reader, userId);
  if (!person) throw new KeysError('no_keys', 'The person has no keys.');
  await mark(context, work, reader, person, isVerified);
}

/** Records by which the user accepts anew what a removed device decided. The mark goes, because nobody compared. */
function toAcceptedAgain(work: Work, state: VaultState, { chain }: Person): VaultRecord[] {
  if (!chain) return [];
  const decisions = decisionsOf(state, chain.account);
  const { mark: isMarkAsked } = askedAgainOf(work, { ...decisions, chain });
  return [...toAcceptance(state, chain, decisions), ...(isMarkAsked ? [toVerified(state, chain, false)] : [])];
}

/** Accepts the identity that waits, or the one that a removed device accepted. @throws KeysError `no_keys` */
export async function acceptPerson(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  userId: string,
): Promise<void> {
  const { vault } = requireJoined(work);
  const { person } = await findPerson(context, work, reader, userId);
  if (!person) throw new KeysError('no_keys', 'The person has no keys.');
  const state = await readDecisions(context, work, reader);
  const { values, pin } = await acceptOther(context, work, state, person);
  const records = pin ? [pin] : toAcceptedAgain(work, state, person);
  if (records.length > 0) await context.store.write({ ...values, ...(await toQueued(context, vault.id, records)) });
}

/**
 * Sets aside the newer list of a person that another device saw and the server does not show: what it shows counts.
 * Once the server shows the newer one, that counts.
 */
export async function setNewerAside(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  userId: string,
): Promise<void> {
  const account = fromUuid(userId);
  const person = await readPerson(context, account);
  const pin = person && newerPinOf(person, decisionsOf(await readDecisions(context, work, reader), account));
  if (pin) await context.store.write(toSetAside(person, account, pin));
}
