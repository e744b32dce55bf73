import { limits } from '@nolo/rules';
import { routes, type AccountKeys } from '@nolo/api';
import {
  equalBytes,
  fromUuid,
  Refusal,
  toUuid,
  type Bytes,
  type CheckedList,
  type Header,
  type ListReference,
  type ListResolver,
  type Member,
  type Statement,
} from '@nolo/e2ee';
import { listAt, startChain, type Chain } from '../chains.ts';
import type { KeyContext } from '../context.ts';
import { fetchPeople, readPerson, type FetchOptions, type Person } from '../people.ts';
import type { VaultReader } from '../vaultState.ts';
import { fromSigned, nameOf } from '../wire.ts';
import { refreshOwn, requireJoined, suspendedOf, type Work } from '../work.ts';

/** Device lists of all accounts that a conversation names. Pins and decisions stay with `people.ts`. */

export interface AccountLists {
  /** Chain whose identity counts; null for an account without keys. */
  readonly chain: Chain | null;
  /** Chain of another identity that waits for the user, or was shown as a replacement. */
  readonly other: Chain | null;
  readonly suspended: readonly Bytes[];
}

export type ListsOf = (account: Bytes) => AccountLists;

const nobody: AccountLists = { chain: null, other: null, suspended: [] };

const toLists = ({ chain, other, suspended }: Person): AccountLists => ({ chain, other, suspended: suspended ?? [] });

/** Reads the known lists of accounts. */
export async function readLists(context: KeyContext, work: Work, accounts: readonly Bytes[]): Promise<ListsOf> {
  const { own } = requireJoined(work);
  const known = new Map<string, AccountLists>();
  for (const account of accounts) {
    const name = nameOf(account);
    if (known.has(name)) continue;
    if (equalBytes(account, context.account)) {
      known.set(name, { chain: own.chain, other: null, suspended: suspendedOf(work) });
      continue;
    }
    const person = await readPerson(context, account);
    known.set(name, person ? toLists(person) : nobody);
  }
  return (account) => known.get(nameOf(account)) ?? nobody;
}

/** Returns the other branch of a fork of an account's lists, while that has not ended. */
const startFork = ({ account, chain, fork }: Chain): Promise<Chain> => startChain(account, chain, fork ?? []);

/** Returns a chain up to one of its lists, with the box keys that are known. */
function upTo(chain: Chain, n: number, { boxKeys, fork }: Chain): Chain | undefined {
  const newest = listAt(chain, n);
  const listed = new Set(newest?.list.devices.map(({ id }) => nameOf(id)));
  const keys = Object.fromEntries(Object.entries(boxKeys).filter(([device]) => listed.has(device)));
  const [statements, hashes] = [chain.statements.slice(0, n + 1), chain.hashes.slice(0, n + 1)];
  return newest && { ...chain, newest, statements, hashes, boxKeys: keys, fork };
}

/**
 * Returns the lists with which a group goes on while the server shows two versions of members' devices: those that its
 * newest header names (section 3, forks). Its user is asked before.
 */
export async function withNamedLists(lists: ListsOf, members: readonly Member[]): Promise<ListsOf> {
  const named = new Map<string, AccountLists>();
  for (const { account, list } of members) {
    const known = lists(account);
    const { chain } = known;
    if (!list || !chain?.fork) continue;
    const found = [chain, await startFork(chain)].find(({ hashes }) => isAt(hashes, list));
    if (found) named.set(nameOf(account), { ...known, chain: upTo(found, list.n, chain) ?? chain });
  }
  return named.size === 0 ? lists : (account) => named.get(nameOf(account)) ?? lists(account);
}

/** Fetches and checks the newest lists of accounts, the own one included. */
export async function refreshLists(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  accounts: readonly Bytes[],
  options?: FetchOptions,
): Promise<void> {
  const others = accounts.filter((one) => !equalBytes(one, context.account));
  await refreshOwn(context, work);
  await fetchPeople(context, work, reader, [...new Set(others.map(toUuid))], options);
}

/** Most pages of one account's lists; no honest account has as many. */
const maxPages = 1_000;

/** Fetches all chains that the server keeps of an account: headers name lists of identities that were replaced. */
async function fetchFormer({ call }: KeyContext, account: Bytes): Promise<Chain[]> {
  const userId = toUuid(account);
  const served = new Map<number, Statement[]>();
  let query: { chain?: number; after?: number } = { chain: 0 };
  for (let page = 0; page < maxPages; page += 1) {
    const reply: AccountKeys = await call(routes.getUserKeys, { params: { id: userId }, query });
    for (const { chain, n: _, ...signed } of reply.lists)
      served.set(chain, [...(served.get(chain) ?? []), fromSigned(signed)]);
    const last = reply.lists.at(-1);
    if (!reply.more || !last) break;
    query = { chain: last.chain, after: last.n };
  }
  const chains: Chain[] = [];
  for (const [chain, statements] of served) {
    try {
      chains.push(await startChain(account, chain, statements));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return chains;
}

const isAt = (hashes: readonly Bytes[], { n, hash }: ListReference): boolean => {
  const known = hashes[n];
  return known !== undefined && equalBytes(known, hash);
};

const findIn = (chains: readonly (Chain | null)[], list: ListReference): CheckedList | undefined => {
  for (const chain of chains) {
    if (chain && isAt(chain.hashes, list)) return listAt(chain, list.n);
  }
  return undefined;
};

/** Accounts and lists that headers and members name. */
export function namedLists(
  headers: readonly Pick<Header, 'changes' | 'account'>[],
  members: readonly Member[],
): { readonly account: Bytes; readonly list: ListReference | null }[] {
  const changed = headers.flatMap(({ changes, account }) => [
    { account, list: null },
    ...changes.flatMap((change) => {
      const signer =
        change.evidence?.by === 'member'
          ? [{ account: change.evidence.account, list: null as ListReference | null }]
          : [];
      const own = 'list' in change ? [{ account: change.account, list: change.list }] : [];
      return [...own, ...signer];
    }),
  ]);
  return [...members.map(({ account, list }) => ({ account, list })), ...changed];
}

/**
 * Returns a resolver of the lists that headers name. Asks the server for those that this device does not know.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function resolveLists(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  named: readonly { readonly account: Bytes; readonly list: ListReference | null }[],
): Promise<ListResolver> {
  const accounts = [...new Map(named.map(({ account }) => [nameOf(account), account])).values()];
  const former = new Map<string, readonly Chain[]>();
  const refused = new Map<string, readonly Chain[]>();
  let lists = await readLists(context, work, accounts);
  const chainsOf = (account: Bytes) => {
    const { chain, other } = lists(account);
    return [chain, other, ...(former.get(nameOf(account)) ?? [])];
  };
  const refusedOf = (account: Bytes) => refused.get(nameOf(account)) ?? [];
  const missing = () => [
    ...new Map(
      named
        .filter(({ account, list }) => list && !findIn([...chainsOf(account), ...refusedOf(account)], list))
        .map(({ account }) => [nameOf(account), account]),
    ).values(),
  ];
  if (missing().length > 0) {
    await refreshLists(context, work, reader, missing(), { boxKeys: false });
    lists = await readLists(context, work, accounts);
  }
  for (const account of missing().slice(0, limits.keyLookupAccounts)) {
    const { chain } = lists(account);
    const forked = chain?.fork ? [await startFork(chain)] : [];
    former.set(nameOf(account), forked);
    for (const { statements } of chain?.refused ?? []) {
      const known = refused.get(nameOf(account)) ?? [];
      refused.set(nameOf(account), [...known, await startChain(account, 0, statements)]);
    }
    if (missing().some((one) => equalBytes(one, account)))
      former.set(nameOf(account), [...forked, ...(await fetchFormer(context, account))]);
  }
  return (account, reference) => {
    const found = findIn(chainsOf(account), reference);
    const left = found ? undefined : findIn(refusedOf(account), reference);
    return left ? { ...left, isRefused: true } : found;
  };
}

/** Accounts as bytes, each once. */
export const toAccounts = (userIds: readonly string[]): Bytes[] => [...new Set(userIds)].map(fromUuid);
