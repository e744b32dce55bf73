import { routes, type Epoch } from '@nolo/api';
import {
  assertSecretOf,
  checkFirstHeader,
  checkNextHeader,
  encodeRoster,
  equalBytes,
  hashOfHeader,
  openBox,
  openPreviousSecret,
  readBox,
  readHeader,
  Refusal,
  recoverySigner,
  toUuid,
  type BoxKeyPairs,
  type BoxPurpose,
  type Bytes,
  type CheckedEpoch,
} from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import { resolverOf, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { findNewerList, untilAside, type NewerRecord } from './newerLists.ts';
import { isForked, newestEpoch, toEpochValues, withStored, type StoredEpoch, type Vault } from './vault.ts';
import { divergenceOf, settleForks, toHead, withBranch } from './vaultForks.ts';
import { assertEnds, fromSigned, fromText, fromTextOrNull } from './wire.ts';

/** Private keys that boxes of this device may be sealed to. */
export interface Openers {
  readonly device: Bytes | null;
  readonly boxes: readonly { readonly number: number; readonly pairs: BoxKeyPairs }[];
  /** Keys of the recovery words, while they are at hand. */
  readonly recovery?: BoxKeyPairs;
}

export type VaultVerdict =
  | 'none'
  | 'same'
  | 'newer'
  | 'old'
  | 'fork'
  /** A header names a list that the server has not shown yet. */
  | 'ahead'
  | 'refused'
  | 'version';

/** Box in which the secret of an epoch may be. */
interface ServedBox {
  readonly purpose: BoxPurpose;
  readonly bytes: Bytes;
}

/** Epoch as served, with the boxes in which its secret may be. */
interface ServedEpoch {
  readonly stored: StoredEpoch;
  readonly boxes: readonly ServedBox[];
}

/**
 * Fetches the epochs of a conversation from a number on; none if it has none.
 *
 * @throws ApiError if the server cannot be asked; Refusal `malformed` if it shows pages without an end
 */
export async function fetchEpochs({ call }: KeyContext, id: Bytes, from: number): Promise<Epoch[]> {
  const epochs: Epoch[] = [];
  for (let pages = 0; ; pages += 1) {
    assertEnds(pages);
    const next = epochs.at(-1);
    const query = { from: next ? next.n + 1 : from };
    let page: { items: Epoch[]; more: boolean };
    try {
      page = await call(routes.listEpochs, { params: { id: toUuid(id) }, query });
    } catch (error) {
      // A vault without any epoch does not exist yet.
      if (error instanceof ApiError && error.status === 404) return epochs;
      throw error;
    }
    epochs.push(...page.items);
    if (!page.more || page.items.length === 0) return epochs;
  }
}

/** Returns the boxes of an epoch that may be this device's. */
export function boxesOf(epoch: Pick<Epoch, 'box' | 'answer' | 'recoveryBox'>): ServedBox[] {
  const boxes = [
    ['box', epoch.box],
    ['answer', epoch.answer],
    ['box', epoch.recoveryBox],
  ] as const;
  return boxes.flatMap(([purpose, text]) => (text === null ? [] : [{ purpose, bytes: fromText(text) }]));
}

async function toServed(epoch: Epoch): Promise<ServedEpoch> {
  const statement = fromSigned(epoch);
  if (epoch.roster === null) throw new Refusal('malformed', 'an epoch of the vault without its members');
  return {
    stored: {
      n: readHeader(statement).n,
      hash: await hashOfHeader(statement),
      statement,
      roster: fromText(epoch.roster),
      previousSecret: fromTextOrNull(epoch.previousSecret),
      secret: null,
    },
    boxes: boxesOf(epoch),
  };
}

/** Opens one box with the keys that it is sealed to. Returns null if it does not open, or to another secret. */
async function tryBox(
  stored: Pick<StoredEpoch, 'hash' | 'statement'>,
  { purpose, bytes }: ServedBox,
  { device, boxes, recovery }: Openers,
): Promise<Bytes | null> {
  try {
    const box = readBox(bytes);
    const isOwn = device !== null && equalBytes(box.device, device);
    const isRecovery = equalBytes(box.device, recoverySigner);
    const pairs = isOwn ? boxes.find(({ number }) => number === box.number)?.pairs : isRecovery ? recovery : undefined;
    if (!pairs) return null;
    const key = box.suite === 1 ? pairs.x25519 : pairs.xWing;
    return await openBox(purpose, { hash: stored.hash, header: readHeader(stored.statement) }, box, key);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Opens the secret of an epoch with the first box that has it. Returns null if none does. */
export async function openSecret(
  { stored, boxes }: { readonly stored: Pick<StoredEpoch, 'hash' | 'statement'>; readonly boxes: readonly ServedBox[] },
  openers: Openers,
): Promise<Bytes | null> {
  for (const box of boxes) {
    const secret = await tryBox(stored, box, openers);
    if (secret) return secret;
  }
  return null;
}

/** Opens the secrets of older epochs with those of newer ones. Returns the epochs that it opened. */
export async function openOlder(epochs: readonly StoredEpoch[]): Promise<StoredEpoch[]> {
  const opened: StoredEpoch[] = [];
  let after: StoredEpoch | undefined;
  for (const epoch of epochs.toReversed()) {
    let current = epoch;
    if (!epoch.secret && after?.secret && after.previousSecret) {
      try {
        const secret = await openPreviousSecret(after, after.secret, after.previousSecret);
        await assertSecretOf(readHeader(epoch.statement), secret);
        current = { ...epoch, secret };
        opened.push(current);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    }
    after = current;
  }
  return opened;
}

interface Following {
  readonly chain: Chain;
  readonly openers: Openers;
  readonly now: number;
}

interface Followed {
  readonly verdict: VaultVerdict;
  readonly vault: Vault;
  /** Newer list that makes the verdict `ahead`. */
  readonly newer?: NewerRecord;
}

export interface SyncedEpochs extends Followed {
  /** True if the server serves the branch that the vault goes on with. */
  readonly isServed: boolean;
}

/** Checks the header after another one, or a first one. */
async function follow(
  vault: Vault,
  head: CheckedEpoch | null,
  { stored }: ServedEpoch,
  { chain, now }: Following,
): Promise<CheckedEpoch> {
  const options = { lists: resolverOf(chain), now };
  const next = head
    ? await checkNextHeader(head, stored.statement, options)
    : await checkFirstHeader(stored.statement, options);
  if (!equalBytes(next.header.conversation, vault.id)) throw new Refusal('subject', 'a header of another vault');
  return next;
}

/** Follows epochs that continue the known ones, or are among them. */
async function followKnown(known: Vault, served: readonly ServedEpoch[], following: Following): Promise<Followed> {
  let vault = known;
  for (const one of served) {
    const same = vault.epochs.find(({ n }) => n === one.stored.n);
    if (same?.secret) continue;
    const secret = await openSecret(one, following.openers);
    if (same) {
      if (secret) vault = withStored(vault, { epochs: [{ ...same, secret }] });
      continue;
    }
    const newer = await findNewerList(one.stored.statement, following.chain);
    if (newer) return { verdict: 'ahead', vault, newer };
    const head = await follow(vault, vault.head, one, following);
    const stored = { ...one.stored, roster: encodeRoster(head.members), secret };
    vault = withStored({ ...vault, head }, { epochs: [stored] });
  }
  const older = await openOlder(vault.epochs);
  if (older.length > 0) vault = withStored(vault, { epochs: older });
  return { verdict: vault === known ? 'same' : 'newer', vault: settleForks(vault, following.chain) };
}

/** Follows another branch from the last common epoch on. The vault keeps both. */
async function followBranch(
  vault: Vault,
  served: readonly ServedEpoch[],
  from: number,
  following: Following,
): Promise<Followed> {
  const branch = vault.epochs.slice(0, from);
  let head = toHead(branch);
  for (const one of served.slice(from)) {
    const newer = await findNewerList(one.stored.statement, following.chain);
    if (newer) return { verdict: 'ahead', vault, newer };
    head = await follow(vault, head, one, following);
    const known = vault.others.find(({ hash }) => equalBytes(hash, one.stored.hash));
    const secret = known?.secret ?? (await openSecret(one, following.openers));
    branch.push({ ...one.stored, roster: encodeRoster(head.members), secret });
  }
  const older = new Map((await openOlder(branch)).map((one) => [one.n, one]));
  const opened = branch.map((one) => older.get(one.n) ?? one);
  return { verdict: 'newer', vault: withBranch(vault, opened, following.chain) };
}

const isInPlace = (vault: Vault, { stored }: ServedEpoch): boolean =>
  vault.epochs.every(({ n, hash }) => n !== stored.n || equalBytes(hash, stored.hash));

/** Returns what the server serves from an epoch on and the user did not set aside. */
async function fetchServed(
  context: KeyContext,
  vault: Vault,
  chain: Chain,
  from: number,
): Promise<readonly ServedEpoch[]> {
  const served: ServedEpoch[] = [];
  for (const epoch of await fetchEpochs(context, vault.id, from)) served.push(await toServed(epoch));
  return untilAside(served, vault, chain, ({ stored }) => stored.statement);
}

/** Says whether the served branch is the one that the vault goes on with. */
function toSynced(followed: Followed, served: readonly ServedEpoch[]): SyncedEpochs {
  const { verdict, vault } = followed;
  const newest = newestEpoch(vault);
  const isServed = newest !== undefined && served.some(({ stored }) => equalBytes(stored.hash, newest.hash));
  if (verdict === 'ahead') return { ...followed, isServed };
  return { verdict: isForked(vault) ? 'fork' : isServed ? verdict : 'old', vault, isServed };
}

async function followServed(context: KeyContext, known: Vault, following: Following): Promise<SyncedEpochs> {
  const newest = newestEpoch(known);
  const served = await fetchServed(context, known, following.chain, newest?.n ?? 0);
  const isContinued = served.length > 0 && served.every((one) => isInPlace(known, one));
  if (isContinued) return toSynced(await followKnown(known, served, following), served);
  if (!newest) return { verdict: 'none', vault: known, isServed: false };
  // A branch may be shorter than the known one.
  const whole = await fetchServed(context, known, following.chain, 0);
  const from = divergenceOf(
    known.epochs,
    whole.map(({ stored }) => stored),
  );
  if (from === undefined) return toSynced({ verdict: 'old', vault: known }, []);
  return toSynced(await followBranch(known, whole, from, following), whole);
}

/**
 * Fetches and checks the headers of the vault, opens their secrets, and stores both. Another branch is kept beside the
 * known one, until a change 8 decides (section 4).
 *
 * @returns what the server shows, and the vault with what was accepted
 * @throws ApiError if the server cannot be asked
 */
export async function syncEpochs(
  context: KeyContext,
  known: Vault,
  chain: Chain,
  openers: Openers,
): Promise<SyncedEpochs> {
  try {
    const synced = await followServed(context, known, { chain, openers, now: context.now() });
    if (synced.vault !== known) await context.store.write(toEpochValues(known, synced.vault));
    return synced;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { verdict: error.code === 'version' ? 'version' : 'refused', vault: known, isServed: false };
  }
}
