import {
  equalBytes,
  findDevice,
  judgeHeaderFork,
  readHeader,
  readRoster,
  toPastHeader,
  type Bytes,
  type CheckedEpoch,
  type HeaderForkVerdict,
} from '@nolo/e2ee';
import { listsOf, type Chain } from './chains.ts';
import { isForked, memberOf, newestEpoch, type StoredEpoch, type Vault } from './vault.ts';

/**
 * Forks of the vault (docs/encryption.md, section 4): branches that the server showed, and what ends them. Only a
 * change 8 does.
 */

const has = (epochs: readonly StoredEpoch[], hash: Bytes): boolean => epochs.some((one) => equalBytes(one.hash, hash));

/** Returns the newest of checked epochs from header 0 as a chain's head. */
export function toHead(epochs: readonly StoredEpoch[]): CheckedEpoch | null {
  const newest = epochs.at(-1);
  if (!newest) return null;
  const history = epochs.map(({ hash, statement }) => toPastHeader(hash, readHeader(statement)));
  return { header: readHeader(newest.statement), hash: newest.hash, members: readRoster(newest.roster), history };
}

/** Number of the first header in which two chains differ; undefined if one continues the other. */
export function divergenceOf(
  a: readonly Pick<StoredEpoch, 'hash'>[],
  b: readonly Pick<StoredEpoch, 'hash'>[],
): number | undefined {
  const n = a.findIndex((one, at) => b[at] && !equalBytes(one.hash, b[at].hash));
  return n === -1 ? undefined : n;
}

/** Returns all epochs up to one that the vault knows, from header 0. */
function chainTo({ epochs, others }: Vault, tip: Bytes): StoredEpoch[] {
  const chain: StoredEpoch[] = [];
  for (let hash: Bytes | null = tip; hash !== null;) {
    const wanted: Bytes = hash;
    const found: StoredEpoch | undefined = [...epochs, ...others].find((one) => equalBytes(one.hash, wanted));
    if (!found) break;
    chain.unshift(found);
    hash = readHeader(found.statement).previous;
  }
  return chain;
}

/** Epochs of two chains after the last common one. */
function apart(a: readonly StoredEpoch[], b: readonly StoredEpoch[]): [StoredEpoch[], StoredEpoch[]] {
  const n = divergenceOf(a, b) ?? Math.min(a.length, b.length);
  return [a.slice(n), b.slice(n)];
}

const toBranch = (epochs: readonly StoredEpoch[]) =>
  epochs.map(({ hash, statement }) => ({ hash, header: readHeader(statement) }));

function judge(a: readonly StoredEpoch[], b: readonly StoredEpoch[]): HeaderForkVerdict {
  const [first, second] = apart(a, b);
  return judgeHeaderFork(toBranch(first), toBranch(second));
}

/** Puts another chain in the place of the vault's. The epochs of both stay. */
function switchTo(vault: Vault, chain: readonly StoredEpoch[]): Vault {
  const left = vault.epochs.filter((one) => !has(chain, one.hash));
  const others = [...vault.others.filter((one) => !has(chain, one.hash)), ...left];
  return { ...vault, epochs: chain, others, head: toHead(chain), nack: null, askedAt: null, isMerging: true };
}

/** Chain that counts against each other one; undefined while none does. */
function winnerOf(vault: Vault): readonly StoredEpoch[] | undefined {
  const chains = [vault.epochs, ...vault.forks.map((tip) => chainTo(vault, tip))];
  return chains.find((one) => chains.every((other) => other === one || judge(one, other).verdict === 'first'));
}

const isAgreed = ({ agreed }: Vault, hash: Bytes): boolean => agreed.some((one) => equalBytes(one, hash));

/** Newest header of a branch whose committer the lists of the vault's own branch had removed. */
function findRemoved(chain: Chain, vault: Vault, winner: readonly StoredEpoch[]): StoredEpoch | undefined {
  const newest = newestEpoch(vault);
  const named = (newest && memberOf(newest)?.list?.n) ?? -1;
  const lists = listsOf(chain).slice(0, named + 1);
  const list = lists.at(-1);
  const [, branch] = apart(vault.epochs, winner);
  return branch.findLast(({ statement }) => {
    const { device } = readHeader(statement);
    // A device that only the other branch added was removed by nobody.
    return list && !findDevice(list, device) && lists.some((one) => findDevice(one, device));
  });
}

/** Ends the forks that a change 8 decided, unless the user has to be asked before. */
export function settleForks(vault: Vault, chain: Chain): Vault {
  if (!isForked(vault)) return vault;
  const winner = winnerOf(vault);
  if (!winner) return vault;
  const removed = findRemoved(chain, vault, winner);
  if (removed && !isAgreed(vault, removed.hash)) return vault;
  const settled = { ...vault, forks: [], isMerging: true };
  return winner === vault.epochs ? settled : switchTo(settled, winner);
}

/**
 * Adds a chain that the server serves in the place of the known one. The vault goes on with it if this device has its
 * newest secret, because only the served branch can be continued.
 *
 * @param served checked epochs from header 0
 */
export function withBranch(vault: Vault, served: readonly StoredEpoch[], chain: Chain): Vault {
  const tip = served.at(-1);
  const own = newestEpoch(vault);
  if (!tip || !own) return vault;
  const fresh = served.filter((one) => !has(vault.epochs, one.hash));
  const others = [...vault.others.filter((one) => !has(fresh, one.hash)), ...fresh];
  const forks = vault.forks.filter((one) => !has(served, one));
  const isKnown = forks.some((one) => has(chainTo(vault, one), tip.hash));
  const added: Vault = { ...vault, others, forks: isKnown ? forks : [...forks, tip.hash] };
  const settled = settleForks(added, chain);
  const isPossible = served[0] && has(vault.epochs, served[0].hash) && tip.secret !== null && !isKnown;
  if (!isForked(settled) || !isPossible || findRemoved(chain, vault, served)) return settled;
  // The branch that it leaves is now the other one.
  return { ...switchTo(settled, served), forks: [...forks, own.hash] };
}

/** Step that this device can take to end a fork. */
export type ForkStep =
  /** Commits a change 8 that names this header. */
  | { readonly step: 'resolve'; readonly other: Bytes }
  /** Asks the user: goes on without what a removed device wrote, or with the branch of one. */
  | { readonly step: 'ask'; readonly kind: 'set_aside' | 'follow'; readonly hash: Bytes; readonly device: Bytes }
  /** Leaves it to another device. */
  | { readonly step: 'wait' };

/** Decides about one other branch. */
function stepAgainst(vault: Vault, chain: Chain, other: readonly StoredEpoch[]): ForkStep | undefined {
  const verdict = judge(vault.epochs, other);
  if (verdict.verdict !== 'fork') return undefined;
  const [, branch] = apart(vault.epochs, other);
  const named = verdict.second;
  if (branch.every(({ secret }) => secret !== null) || isAgreed(vault, named)) return { step: 'resolve', other: named };
  const author = branch[0] && readHeader(branch[0].statement).device;
  if (!author || findDevice(chain.newest.list, author)) return { step: 'wait' };
  return { step: 'ask', kind: 'set_aside', hash: named, device: author };
}

/** Returns what this device can do about the vault's forks. */
export function nextForkStep(vault: Vault, chain: Chain): ForkStep {
  const winner = winnerOf(vault);
  const removed = winner && findRemoved(chain, vault, winner);
  if (removed) {
    const { device } = readHeader(removed.statement);
    return { step: 'ask', kind: 'follow', hash: removed.hash, device };
  }
  if (!newestEpoch(vault)?.secret) return { step: 'wait' };
  const steps = vault.forks.flatMap((tip) => stepAgainst(vault, chain, chainTo(vault, tip)) ?? []);
  const first = (step: ForkStep['step']) => steps.find((one) => one.step === step);
  return first('resolve') ?? first('ask') ?? { step: 'wait' };
}
