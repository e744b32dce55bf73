import type { AccountKeys } from '@nolo/api';
import { equalBytes, fromUuid, hashOfList, Refusal, type Statement } from '@nolo/e2ee';
import { acceptBoxKeys, compareChains, extendChain, startChain, type Chain } from './chains.ts';
import { assertEnds, fromSigned } from './wire.ts';

/** Position after which the server returns lists. */
export interface ListQuery {
  readonly chain?: number;
  readonly after?: number;
}

export type ChainVerdict =
  /** The account has no keys. */
  | 'none'
  | 'same'
  | 'newer'
  /** Older than known, or a branch that does not count. */
  | 'old'
  | 'fork'
  /** Serves another identity, which is in `other`. */
  | 'changed'
  /** Lists that are not in order. */
  | 'refused'
  | 'version';

export interface FetchedChain {
  readonly verdict: ChainVerdict;
  /** Chain that counts: the known one, with what was accepted. */
  readonly chain: Chain | undefined;
  /** Chain of another identity that the server serves as the newest. */
  readonly other: Chain | undefined;
  /** True if the server showed older or other box keys than known. */
  readonly hasOldBoxKeys: boolean;
}

/**
 * Returns the query for what may be new. The newest known list comes again, so that another one in its place is
 * noticed.
 */
export const queryAfter = (known: Chain | undefined): ListQuery =>
  known ? { chain: known.chain, ...(known.newest.list.n > 0 && { after: known.newest.list.n - 1 }) } : {};

type FetchLists = (query: ListQuery) => Promise<AccountKeys>;

interface ServedList {
  readonly chain: number;
  readonly n: number;
  readonly statement: Statement;
}

/**
 * Follows the pages of a reply.
 *
 * @throws Refusal `malformed` if they do not end
 */
async function listAll(first: AccountKeys, fetch: FetchLists): Promise<ServedList[]> {
  const served: ServedList[] = [];
  let page = first;
  for (let pages = 0; ; pages += 1) {
    assertEnds(pages);
    for (const { chain, n, ...signed } of page.lists) served.push({ chain, n, statement: fromSigned(signed) });
    const last = page.lists.at(-1);
    if (!page.more || !last) return served;
    page = await fetch({ chain: last.chain, after: last.n });
  }
}

const statementsOf = (served: readonly ServedList[], chain: number): Statement[] =>
  served.filter((one) => one.chain === chain).map(({ statement }) => statement);

/** Fetches and checks a whole chain of the server. */
async function fetchWhole(known: Chain, chain: number, fetch: FetchLists): Promise<Chain> {
  const served = await listAll(await fetch({ chain }), fetch);
  return startChain(known.account, chain, statementsOf(served, chain));
}

interface Compared {
  readonly verdict: ChainVerdict;
  readonly chain: Chain | undefined;
  readonly other?: Chain;
}

/** Continues a known chain by lists of its identity; anything unexpected is answered by looking at the whole chain. */
async function continueChain(
  known: Chain,
  served: readonly Statement[],
  newestN: number,
  fetchAll: () => Promise<Chain>,
): Promise<Compared> {
  const first = served[0];
  const overlaps = first && equalBytes(await hashOfList(first), known.newest.hash);
  if (!known.fork && overlaps && newestN >= known.newest.list.n) {
    try {
      const chain = await extendChain(known, served);
      return { verdict: chain.newest.list.n > known.newest.list.n ? 'newer' : 'same', chain };
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'version') throw error;
    }
  }
  const whole = await fetchAll();
  if (!equalBytes(whole.identity, known.identity)) return { verdict: 'changed', chain: known, other: whole };
  return compareChains(known, whole);
}

async function compare(known: Chain | undefined, reply: AccountKeys, fetch: FetchLists): Promise<Compared> {
  const { newest } = reply;
  if (!newest) return known ? { verdict: 'old', chain: known } : { verdict: 'none', chain: undefined };
  const served = await listAll(reply, fetch);
  if (!known) {
    const account = fromUuid(reply.userId);
    return { verdict: 'newer', chain: await startChain(account, newest.chain, statementsOf(served, newest.chain)) };
  }
  if (newest.chain === known.chain)
    return continueChain(known, statementsOf(served, known.chain), newest.n, () =>
      fetchWhole(known, newest.chain, fetch),
    );
  const other = await fetchWhole(known, newest.chain, fetch);
  if (!equalBytes(other.identity, known.identity)) return { verdict: 'changed', chain: known, other };
  // The server counts chains anew, after it was restored.
  const compared = await compareChains(known, other);
  return { ...compared, chain: { ...compared.chain, chain: newest.chain } };
}

/**
 * Checks what the server shows of an account against what this device knows.
 *
 * @param reply answer to `queryAfter(known)`
 * @param fetch asks again, from another position
 * @throws ApiError if the server cannot be asked
 */
export async function checkReply(
  known: Chain | undefined,
  reply: AccountKeys,
  fetch: FetchLists,
): Promise<FetchedChain> {
  let compared: Compared;
  try {
    compared = await compare(known, reply, fetch);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const verdict = error.code === 'version' ? 'version' : 'refused';
    return { verdict, chain: known, other: undefined, hasOldBoxKeys: false };
  }
  const { verdict, chain, other } = compared;
  const shown = reply.boxKeys.map(({ deviceId, ...signed }) => ({ device: fromUuid(deviceId), ...fromSigned(signed) }));
  const accepted = chain && (await acceptBoxKeys(chain, shown));
  const acceptedOther = other && (await acceptBoxKeys(other, shown));
  return {
    verdict,
    chain: accepted?.chain,
    other: acceptedOther?.chain,
    hasOldBoxKeys: accepted?.isOld ?? false,
  };
}
