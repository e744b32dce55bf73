import { limits } from '@nolo/rules';
import { routes, type AccountKeys, type RouteBodyInput } from '@nolo/api';
import {
  equalBytes,
  fromUuid,
  nextCounter,
  toPin,
  toUuid,
  type Bytes,
  type PinRecord,
  type PlacedRecord,
  type VaultRecord,
  type VaultState,
  type VerifiedRecord,
} from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import { hasList, isRefused, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { checkReply, queryAfter, type ChainVerdict } from './fetchChain.ts';
import { toQueued, withWaiting } from './vaultAppend.ts';
import type { VaultReader } from './vaultState.ts';
import { nameOf } from './wire.ts';
import { requireJoined, type Work } from './work.ts';

/** Other people's chains: pins, other identities, and marks (docs/encryption.md, sections 3 and 6). */

/** Chains of a person that this device keeps. */
export interface Person {
  /** Chain of the identity that counts; null while only another device of the account knows it. */
  readonly chain: Chain | null;
  /** Chain of another identity that the server serves, which waits for the user. */
  readonly other: Chain | null;
  readonly verdict: ChainVerdict;
  /** Identities that the user replaced. They never count again, unless numbers are compared. */
  readonly replaced: readonly Bytes[];
  /** Hash of a newer list that only the vault knows, and that the user set aside. */
  readonly aside?: Bytes;
  /** Devices that the server calls suspended; absent in what was stored before conversations were sealed. */
  readonly suspended?: readonly Bytes[];
}

const personKeyOf = (account: Bytes): string => `people/${nameOf(account)}`;

export const readPerson = ({ store }: KeyContext, account: Bytes): Promise<Person | undefined> =>
  store.read<Person>(personKeyOf(account));

/** Decisions of the account's devices, those of this device that wait included. */
export async function readDecisions(context: KeyContext, work: Work, reader: VaultReader): Promise<VaultState> {
  const { ready, own, vault } = requireJoined(work);
  const { state } = await reader.read(own.chain, vault);
  return withWaiting(context, vault.id, ready.device.id, state);
}

const isSame = (a: Bytes | undefined, b: Bytes | undefined): boolean =>
  a !== undefined && b !== undefined && equalBytes(a, b);

const subjectFor = (kind: 'pin' | 'verified', account: Bytes): string => `${kind}:${nameOf(account)}`;

/** Counter of the next pin of an account. */
export const nextPinCounter = (state: VaultState, account: Bytes): number =>
  nextCounter(state, subjectFor('pin', account));

type PlacedPin = PlacedRecord & { readonly record: PinRecord };

export interface Decisions {
  readonly pin: PlacedPin | undefined;
  /** Pin by which a device accepted this identity in place of another one. */
  readonly acceptance: PlacedPin | undefined;
  /** Identities that were replaced, by this or a former one. */
  readonly replaced: readonly Bytes[];
  readonly verified: (PlacedRecord & { readonly record: VerifiedRecord }) | undefined;
  /** True if two devices pinned what cannot both be. */
  readonly isForked: boolean;
  /** Pins that later ones are compared with. */
  readonly pins: readonly PlacedPin[];
}

/** Returns what the account's devices decided about a person. */
export function decisionsOf(state: VaultState, account: Bytes): Decisions {
  const subject = subjectFor('pin', account);
  const pin = state.entries.get(subject);
  const pins = state.pins.get(subject) ?? [];
  const accepted = pins.filter(({ record }) => record.replaced !== null);
  const identity = pin?.record.kind === 'pin' ? pin.record.identity : undefined;
  const verified = state.entries.get(subjectFor('verified', account));
  return {
    pin: pin?.record.kind === 'pin' ? { ...pin, record: pin.record } : undefined,
    acceptance: accepted.findLast(({ record }) => isSame(record.identity, identity)),
    replaced: accepted.flatMap(({ record }) => record.replaced ?? []).filter((one) => !isSame(one, identity)),
    verified: verified?.record.kind === 'verified' ? { ...verified, record: verified.record } : undefined,
    isForked: state.forks.has(subject),
    pins,
  };
}

/** Puts what the server serves in its place: as the counting chain, or as another identity that waits. */
function place(known: Person | undefined, served: Served, { pin, replaced: dropped }: Decisions): Person {
  const replaced = known?.replaced ?? [];
  const pinned = pin?.record.identity;
  const { verdict, chain, other } = served;
  const candidates = [chain, other, known?.chain, known?.other].flatMap((one) => one ?? []);
  // Follows a device of the account that accepted this identity.
  const follows = pin && (!known?.chain || dropped.some((one) => isSame(one, known.chain?.identity)));
  const accepted = follows ? candidates.find((one) => isSame(one.identity, pinned)) : undefined;
  // The first identity that is shown counts, unless another device of the account pinned another one.
  const counting = accepted ?? (known?.chain || !pin ? chain : undefined);
  const waiting = [other, known?.chain ? undefined : chain].find(
    (one) => one && !isSame(one.identity, counting?.identity),
  );
  const wasReplaced = waiting && replaced.some((identity) => equalBytes(identity, waiting.identity));
  if (wasReplaced) return { chain: counting ?? null, other: null, verdict: 'old', replaced };
  const isSwitch = counting && known?.chain && !isSame(counting.identity, known.chain.identity);
  return {
    chain: counting ?? null,
    other: waiting ?? null,
    verdict: waiting ? 'changed' : verdict === 'changed' ? 'same' : verdict,
    replaced: isSwitch && known.chain ? [...replaced, known.chain.identity] : replaced,
  };
}

interface Served {
  readonly verdict: ChainVerdict;
  readonly chain: Chain | undefined;
  readonly other: Chain | undefined;
}

/** Pin of a person's counting chain, if the account's devices do not have it yet. It replaces no identity. */
function newPin(state: VaultState, { chain }: Person, { pin }: Decisions): PinRecord | null {
  if (!chain) return null;
  const isKnown = pin && isSame(pin.record.identity, chain.identity);
  if (pin && (!isKnown || pin.record.n >= chain.newest.list.n)) return null;
  const counter = nextPinCounter(state, chain.account);
  return { kind: 'pin', ...toPin(chain.newest), replaced: null, counter };
}

const hasSameSuspended = ({ suspended: before }: Person, { suspended: after = [] }: Person): boolean =>
  before?.length === after.length && before.every((one, at) => isSame(one, after[at]));

/** Returns true if a person is as the storage has them. */
const isUnchanged = (known: Person | undefined, person: Person): boolean =>
  known !== undefined &&
  person.chain === known.chain &&
  person.other === known.other &&
  person.verdict === known.verdict &&
  person.replaced === known.replaced &&
  hasSameSuspended(known, person);

/** Checks what the server shows of a person. Returns what has to be stored of it. */
async function checkPerson(
  context: KeyContext,
  state: VaultState,
  reply: AccountKeys,
): Promise<{ readonly values: Readonly<Record<string, Person>>; readonly pin: PinRecord | null }> {
  const account = fromUuid(reply.userId);
  const known = await readPerson(context, account);
  const served = await checkReply(known?.chain ?? undefined, reply, (query) =>
    context.call(routes.getUserKeys, { params: { id: reply.userId }, query }),
  );
  const decisions = decisionsOf(state, account);
  const person: Person = {
    ...place(known, served, decisions),
    ...(known?.aside && { aside: known.aside }),
    suspended: reply.suspended.map(fromUuid),
  };
  const values = isUnchanged(known, person) ? {} : { [personKeyOf(account)]: person };
  return { values, pin: newPin(state, person, decisions) };
}

/** Checks what the server shows of people, and stores what changed and its pins in one write. */
async function checkPeople(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  replies: readonly AccountKeys[],
): Promise<void> {
  const state = await readDecisions(context, work, reader);
  const pins: PinRecord[] = [];
  let values: Record<string, unknown> = {};
  for (const reply of replies) {
    const checked = await checkPerson(context, state, reply);
    Object.assign(values, checked.values);
    if (checked.pin) pins.push(checked.pin);
  }
  const { vault } = requireJoined(work);
  if (pins.length > 0) values = { ...(await toQueued(context, vault.id, pins)), ...values };
  if (Object.keys(values).length > 0) await context.store.write(values);
}

/** Says what to fetch of a person. */
export interface FetchOptions {
  /** False leaves out box keys, which makes up most of an answer; known ones stay. Default: true. */
  readonly boxKeys?: boolean;
}

/** Box keys that this device has of a person. All are asked for while there is another identity, which shares none. */
const boxKeysOf = ({ chain, other }: Person): { readonly deviceId: string; readonly number: number }[] =>
  (other === null ? (chain?.newest.list.devices ?? []) : []).flatMap(({ id }) => {
    const known = chain?.boxKeys[nameOf(id)];
    return known ? [{ deviceId: toUuid(id), number: known.number }] : [];
  });

async function ask(context: KeyContext, userIds: readonly string[], { boxKeys }: FetchOptions): Promise<AccountKeys[]> {
  const accounts: RouteBodyInput<typeof routes.lookUpKeys>['accounts'] = [];
  for (const userId of userIds) {
    const known = await readPerson(context, fromUuid(userId));
    const own = boxKeys !== false && known && { known: boxKeysOf(known) };
    accounts.push({ userId, ...queryAfter(known?.chain ?? undefined), ...own });
  }
  return context.call(routes.lookUpKeys, { body: { accounts, ...(boxKeys === false && { boxKeys }) } });
}

/** Maximum concurrent requests for the lists of a large group: the server answers the next while this device checks. */
const lookupsAtOnce = 3;

/**
 * Fetches and checks people's lists, and pins what counts.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function fetchPeople(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  userIds: readonly string[],
  options: FetchOptions = {},
): Promise<void> {
  const parts = Array.from({ length: Math.ceil(userIds.length / limits.keyLookupAccounts) }, (_, part) =>
    userIds.slice(part * limits.keyLookupAccounts, (part + 1) * limits.keyLookupAccounts),
  );
  const asked: Promise<AccountKeys[]>[] = [];
  const askNext = (part: readonly string[]): void => {
    const answer = ask(context, part, options);
    // The first failure ends the whole. Those of later requests would have no handler yet.
    answer.catch(() => undefined);
    asked.push(answer);
  };
  for (const at of parts.keys()) {
    parts.slice(asked.length, at + lookupsAtOnce).forEach(askNext);
    await checkPeople(context, work, reader, (await asked[at]) ?? []);
  }
}

/** Fetches people's lists if the network allows it: what is known counts meanwhile. */
export async function tryFetchPeople(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  userIds: readonly string[],
): Promise<void> {
  try {
    await fetchPeople(context, work, reader, userIds);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.passing) throw error;
  }
}

/**
 * Returns the pin of another device that names a newer list than the server shows, unless the user set it aside: it
 * displaces no list, but nothing is sealed for the person meanwhile (section 6).
 */
export function newerPinOf({ chain, aside }: Person, { pin }: Decisions): PlacedPin | undefined {
  const isNewer = pin && chain && isSame(pin.record.identity, chain.identity) && pin.record.n > chain.newest.list.n;
  return isNewer && !isSame(aside, pin.record.hash) && !isRefused(chain, pin.record) ? pin : undefined;
}

/** Returns true if pins contradict a chain, or each other. Those of a branch that does not count say nothing. */
export function isContradicted(chain: Chain, { pins, isForked }: Pick<Decisions, 'pins' | 'isForked'>): boolean {
  const isExplained = ({ record }: PlacedPin): boolean => hasList(chain, record) || isRefused(chain, record);
  if (isForked && !pins.every(isExplained)) return true;
  return pins.some(
    (pin) =>
      isSame(pin.record.identity, chain.identity) && chain.hashes[pin.record.n] !== undefined && !isExplained(pin),
  );
}

/** Values that set aside the newer list that only the vault knows. */
export const toSetAside = (person: Person, account: Bytes, pin: PlacedPin): Record<string, unknown> => ({
  [personKeyOf(account)]: { ...person, aside: pin.record.hash } satisfies Person,
});

/** Chain that the user would compare or accept: the one that waits, otherwise the one that counts. */
export const shownChainOf = (person: Person | undefined): Chain | null => person?.other ?? person?.chain ?? null;

/** Values that store the acceptance of the identity that waits. */
export async function acceptOther(
  context: KeyContext,
  work: Work,
  state: VaultState,
  person: Person,
): Promise<{ values: Record<string, unknown>; person: Person; pin: PinRecord | null }> {
  const { other, chain } = person;
  if (!other) return { values: {}, person, pin: null };
  const { account } = other;
  const { pin } = decisionsOf(state, account);
  const former = pin?.record.identity ?? chain?.identity ?? null;
  const replaced = former && !equalBytes(former, other.identity) ? former : null;
  const record: PinRecord = {
    kind: 'pin',
    ...toPin(other.newest),
    replaced,
    counter: nextPinCounter(state, account),
  };
  const all = [...person.replaced.filter((one) => !equalBytes(one, other.identity)), ...(replaced ? [replaced] : [])];
  const accepted: Person = { chain: other, other: null, verdict: 'same', replaced: all };
  return { values: { [personKeyOf(account)]: accepted }, person: accepted, pin: record };
}

/** Record that marks a person's identity as verified, or no longer. */
export const toVerified = (state: VaultState, chain: Chain, isVerified: boolean): VaultRecord => ({
  kind: 'verified',
  ...toPin(chain.newest),
  counter: nextCounter(state, subjectFor('verified', chain.account)),
  isVerified,
});
