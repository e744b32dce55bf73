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
} from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import { resolverOf, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { newestEpoch, toVaultValues, withStored, type StoredEpoch, type Vault } from './vault.ts';
import { fromSigned, fromText, fromTextOrNull } from './wire.ts';

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

/** Epoch as served, with the boxes in which its secret may be. */
interface ServedEpoch {
  readonly stored: StoredEpoch;
  readonly boxes: readonly { readonly purpose: BoxPurpose; readonly bytes: Bytes }[];
}

async function fetchEpochs({ call }: KeyContext, id: Bytes, from: number): Promise<Epoch[]> {
  const epochs: Epoch[] = [];
  for (;;) {
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

async function toServed(epoch: Epoch): Promise<ServedEpoch> {
  const statement = fromSigned(epoch);
  const boxes = [
    ['box', epoch.box],
    ['answer', epoch.answer],
    ['box', epoch.recoveryBox],
  ] as const;
  return {
    stored: {
      n: readHeader(statement).n,
      hash: await hashOfHeader(statement),
      statement,
      roster: fromText(epoch.roster),
      previousSecret: fromTextOrNull(epoch.previousSecret),
      secret: null,
    },
    boxes: boxes.flatMap(([purpose, text]) => (text === null ? [] : [{ purpose, bytes: fromText(text) }])),
  };
}

/** Opens one box with the keys that it is sealed to. Returns null if it does not open, or to another secret. */
async function tryBox(
  stored: StoredEpoch,
  { purpose, bytes }: ServedEpoch['boxes'][number],
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

async function openSecret(served: ServedEpoch, openers: Openers): Promise<Bytes | null> {
  for (const box of served.boxes) {
    const secret = await tryBox(served.stored, box, openers);
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

interface Followed {
  readonly verdict: VaultVerdict;
  readonly vault: Vault;
  readonly added: readonly StoredEpoch[];
}

/** Checks one header after the newest known one. */
async function follow(vault: Vault, { stored }: ServedEpoch, chain: Chain, now: number): Promise<Vault> {
  const options = { lists: resolverOf(chain), now };
  const head = vault.head
    ? await checkNextHeader(vault.head, stored.statement, options)
    : await checkFirstHeader(stored.statement, options);
  if (!equalBytes(head.header.conversation, vault.id)) throw new Refusal('subject', 'a header of another vault');
  return { ...vault, head };
}

/** Returns true if a header names a list that this device has not seen yet. */
function isAhead({ stored }: ServedEpoch, chain: Chain): boolean {
  const { changes } = readHeader(stored.statement);
  return changes.some((change) => change.type === 3 && change.list.n > chain.newest.list.n);
}

async function followAll(
  known: Vault,
  served: readonly ServedEpoch[],
  chain: Chain,
  openers: Openers,
  now: number,
): Promise<Followed> {
  let vault = known;
  const added: StoredEpoch[] = [];
  for (const one of served) {
    const same = vault.epochs.find(({ n }) => n === one.stored.n);
    if (same && !equalBytes(same.hash, one.stored.hash))
      return { verdict: 'fork', vault: { ...vault, isForked: true }, added };
    if (same?.secret) continue;
    const secret = await openSecret(one, openers);
    if (!same) {
      if (isAhead(one, chain)) return { verdict: 'ahead', vault, added };
      vault = await follow(vault, one, chain, now);
    } else if (!secret) continue;
    const members = vault.head?.header.n === one.stored.n ? vault.head.members : undefined;
    const stored = { ...one.stored, ...(members && { roster: encodeRoster(members) }), secret };
    added.push(stored);
    vault = withStored(vault, { epochs: [stored] });
  }
  return { verdict: added.length > 0 ? 'newer' : 'same', vault, added };
}

/**
 * Fetches and checks the headers of the vault, opens their secrets, and stores both.
 *
 * @returns what the server shows, and the vault with what was accepted
 * @throws ApiError if the server cannot be asked
 */
export async function syncEpochs(
  context: KeyContext,
  known: Vault,
  chain: Chain,
  openers: Openers,
): Promise<{ verdict: VaultVerdict; vault: Vault }> {
  const newest = newestEpoch(known);
  const epochs = await fetchEpochs(context, known.id, newest?.n ?? 0);
  if (epochs.length === 0) return { verdict: newest ? 'old' : 'none', vault: known };
  let followed: Followed;
  try {
    const served: ServedEpoch[] = [];
    for (const epoch of epochs) served.push(await toServed(epoch));
    followed = await followAll(known, served, chain, openers, context.now());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { verdict: error.code === 'version' ? 'version' : 'refused', vault: known };
  }
  const older = await openOlder(followed.vault.epochs);
  const vault = withStored(followed.vault, { epochs: older });
  if (followed.added.length > 0 || older.length > 0 || vault.isForked)
    await context.store.write(toVaultValues(vault, { epochs: [...followed.added, ...older] }));
  return { verdict: followed.verdict, vault };
}
