import {
  checkBoxKeys,
  checkFirstList,
  checkNextList,
  equalBytes,
  findDevice,
  hashOfList,
  judgeFork,
  readList,
  Refusal,
  toPin,
  type Bytes,
  type CheckedList,
  type DeviceList,
  type ListReference,
  type ListResolver,
  type Pin,
  type Statement,
} from '@nolo/e2ee';
import { nameOf } from './wire.ts';

/** Chains of device lists that this device checked: its account's and others' (docs/encryption.md, section 3). */

/** Box keys that were accepted, as their device signed them. */
export interface AcceptedBoxKeys extends Statement {
  readonly number: number;
}

export interface Chain {
  readonly account: Bytes;
  readonly identity: Bytes;
  /** Number that the server gives the chain. Only requests name it. */
  readonly chain: number;
  readonly newest: CheckedList;
  /** All lists from the first one, and their hashes. */
  readonly statements: readonly Statement[];
  readonly hashes: readonly Bytes[];
  /** Newest box keys of each device, by the device's name. */
  readonly boxKeys: Readonly<Record<string, AcceptedBoxKeys>>;
  /** Other branch of a fork that has not ended: all its lists from the first one. */
  readonly fork: readonly Statement[] | null;
  /** Branches of forks that ended, and that do not count; absent in what was stored before there were any. */
  readonly refused?: readonly RefusedBranch[];
}

/** All lists of a branch from the first one, and their hashes. Headers may name them. */
export type RefusedBranch = Pick<Chain, 'statements' | 'hashes'>;

const add = async (chain: Chain, statement: Statement, newest: CheckedList): Promise<Chain> => ({
  ...chain,
  newest,
  statements: [...chain.statements, statement],
  hashes: [...chain.hashes, newest.hash],
});

/**
 * Checks a chain from its first list.
 *
 * @throws Refusal
 */
export async function startChain(account: Bytes, chain: number, statements: readonly Statement[]): Promise<Chain> {
  const [first, ...rest] = statements;
  if (!first) throw new Refusal('order', 'an empty chain');
  const newest = await checkFirstList(first);
  if (!equalBytes(newest.list.account, account)) throw new Refusal('subject', 'a list of another account');
  const start: Chain = {
    account,
    identity: newest.identity,
    chain,
    newest,
    statements: [first],
    hashes: [newest.hash],
    boxKeys: {},
    fork: null,
  };
  return extendChain(start, rest);
}

/**
 * Checks further lists. Lists that the chain has are skipped; if it has all, it is returned as it is.
 *
 * @throws Refusal
 */
export async function extendChain(chain: Chain, statements: readonly Statement[]): Promise<Chain> {
  let extended = chain;
  for (const statement of statements) {
    const hash = await hashOfList(statement);
    if (extended.hashes.some((known) => equalBytes(known, hash))) continue;
    extended = await add(extended, statement, await checkNextList(extended.newest, statement));
  }
  return extended === chain ? chain : dropBoxKeys(extended);
}

/** Drops the box keys of devices that are no longer listed. */
function dropBoxKeys(chain: Chain): Chain {
  const listed = new Set(chain.newest.list.devices.map(({ id }) => nameOf(id)));
  const boxKeys = Object.entries(chain.boxKeys).filter(([device]) => listed.has(device));
  return { ...chain, boxKeys: Object.fromEntries(boxKeys) };
}

/** Lists by their hash, because headers and forks name the same ones again and again. */
const knownLists = new Map<string, DeviceList>();
const maxKnownLists = 1_024;

function readKnown(statement: Statement, hash: Bytes): DeviceList {
  const name = nameOf(hash);
  const known = knownLists.get(name);
  if (known) return known;
  if (knownLists.size >= maxKnownLists) knownLists.clear();
  const list = readList(statement);
  knownLists.set(name, list);
  return list;
}

/** Returns list n of a chain, which was checked when it was added. */
export function listAt({ statements, hashes, identity }: Chain, n: number): CheckedList | undefined {
  const [statement, hash] = [statements[n], hashes[n]];
  return statement && hash && { list: readKnown(statement, hash), hash, identity };
}

/** Returns all lists of a chain in order. */
export const listsOf = ({ statements }: Chain): DeviceList[] => statements.map(readList);

/** Resolves the lists that headers name, for a conversation of this account alone. */
export const resolverOf =
  (chain: Chain): ListResolver =>
  (account: Bytes, { n, hash }: ListReference) => {
    const found = equalBytes(account, chain.account) ? listAt(chain, n) : undefined;
    return found && equalBytes(found.hash, hash) ? found : undefined;
  };

export const pinOf = ({ newest }: Chain): Pin => toPin(newest);

/** Returns true if the chain contains this list. */
export const hasList = (chain: Chain, { identity, n, hash }: Omit<Pin, 'account'>): boolean => {
  const known = chain.hashes[n];
  return equalBytes(chain.identity, identity) && known !== undefined && equalBytes(known, hash);
};

/**
 * Adds box keys that the server shows. Those that a rule refuses are left out.
 *
 * @returns the chain, and true if the server showed older or other keys than known
 */
export async function acceptBoxKeys(
  chain: Chain,
  shown: readonly (Statement & { readonly device: Bytes })[],
): Promise<{ chain: Chain; isOld: boolean }> {
  const boxKeys = { ...chain.boxKeys };
  let isOld = false;
  let isAny = false;
  for (const { device, body, signature } of shown) {
    const name = nameOf(device);
    const seen = boxKeys[name];
    if (seen && equalBytes(seen.body, body)) continue;
    if (!findDevice(chain.newest.list, device)) continue;
    try {
      const { number } = await checkBoxKeys({ body, signature }, chain.newest.list, device, seen);
      boxKeys[name] = { number, body, signature };
      isAny = true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      isOld ||= error.code === 'old' || error.code === 'fork';
    }
  }
  return { chain: isAny ? { ...chain, boxKeys } : chain, isOld };
}

const forksOf = ({ fork, refused }: Chain) => ({ fork, ...(refused && { refused }) });

/** Number of the first list in which two chains of one identity differ; undefined if one continues the other. */
function divergenceOf(a: Chain, b: Chain): number | undefined {
  const shorter = Math.min(a.hashes.length, b.hashes.length);
  for (let n = 0; n < shorter; n += 1) {
    const [one, other] = [a.hashes[n], b.hashes[n]];
    if (one && other && !equalBytes(one, other)) return n;
  }
  return undefined;
}

const branchOf = (chain: Chain, from: number): CheckedList[] =>
  chain.hashes.slice(from).flatMap((_, at) => listAt(chain, from + at) ?? []);

export type ForkVerdict = { readonly verdict: 'same' | 'newer' | 'old' | 'fork'; readonly chain: Chain };

/** Puts the branch that counts in the place of the other one, with the box keys of devices that both list. */
const withBranch = (known: Chain, branch: Chain): Chain =>
  withRefused(
    dropBoxKeys({ ...known, ...branch, boxKeys: { ...branch.boxKeys, ...known.boxKeys }, fork: null }),
    known,
  );

/** Keeps a branch that does not count, in the place of a shorter form of it. */
function withRefused(chain: Chain, { statements, hashes }: Chain): Chain {
  const others = (chain.refused ?? []).filter((one) => one.hashes.some((hash, n) => !isAt(hashes, n, hash)));
  const isKnown = others.some((one) => hashes.every((hash, n) => isAt(one.hashes, n, hash)));
  return { ...chain, refused: isKnown ? others : [...others, { statements, hashes }] };
}

/** Returns true if a list is of a branch that does not count. */
export const isRefused = ({ hashes, refused = [] }: Chain, { n, hash }: ListReference): boolean =>
  !isAt(hashes, n, hash) && refused.some((one) => isAt(one.hashes, n, hash));

const isAt = (hashes: readonly Bytes[], n: number, hash: Bytes): boolean => {
  const known = hashes[n];
  return known !== undefined && equalBytes(known, hash);
};

/**
 * Compares a complete chain that the server serves with the known one of the same identity (section 3, forks). A fork
 * stays until a rule ends it, and is judged anew with each further list of either branch.
 */
export async function compareChains(known: Chain, served: Chain): Promise<ForkVerdict> {
  const other = known.fork && (await startChain(known.account, known.chain, known.fork));
  const n = divergenceOf(known, served);
  const isLonger = served.hashes.length > known.hashes.length;
  if (n === undefined) {
    if (served.hashes.length < known.hashes.length) return { verdict: 'old', chain: known };
    const ours = isLonger ? { ...served, boxKeys: known.boxKeys, ...forksOf(known) } : known;
    const verdict = isLonger ? 'newer' : 'same';
    const judged = other && judge(ours, other);
    if (!judged) return { verdict, chain: ours };
    // The branch that counts is the served one.
    return judged.verdict === 'old' ? { ...judged, verdict } : judged;
  }
  const isOther = other && divergenceOf(other, served) === undefined;
  const longest = isOther && other.hashes.length > served.hashes.length ? other : served;
  return judge(known, longest);
}

function judge(known: Chain, other: Chain): ForkVerdict {
  const n = divergenceOf(known, other) ?? 0;
  const common = listAt(known, n - 1);
  const verdict = common ? judgeFork(common, branchOf(known, n), branchOf(other, n)) : 'fork';
  if (verdict === 'second') return { verdict: 'newer', chain: withBranch(known, other) };
  if (verdict === 'first') return { verdict: 'old', chain: withRefused({ ...known, fork: null }, other) };
  return { verdict: 'fork', chain: { ...known, fork: other.statements } };
}
