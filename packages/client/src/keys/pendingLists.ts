import { routes, type NewEpoch } from '@nolo/api';
import { equalBytes, hashOfList, readBoxKeys, readList, type Statement } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import { acceptBoxKeys, extendChain, hasList, startChain, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { deviceKey } from './deviceKeys.ts';
import { checkReply, queryAfter } from './fetchChain.ts';
import { toRestartWarning } from './notices.ts';
import { loadVault, toVaultValues, withStored, type Vault } from './vault.ts';
import { toQueued } from './vaultAppend.ts';
import type { BuiltEpoch } from './vaultCommit.ts';
import { toSigned } from './wire.ts';
import { fetchOwn, ownKey, type OwnAccount, type Work } from './work.ts';

/**
 * Lists in flight (docs/encryption.md, section 3): a list, its epoch of the vault, and the secret are durable before
 * the request, repeated byte for byte, and dropped only after a definite refusal.
 */

export type ListPurpose =
  | 'first'
  /** Begins a new identity. */
  | 'identity'
  /** Adds another device. */
  | 'link'
  /** Sets or replaces the recovery key. */
  | 'words'
  /** Adds this device by the recovery key. */
  | 'recover'
  | 'remove';

export interface PendingList {
  readonly purpose: ListPurpose;
  readonly list: Statement;
  /** Box keys of the devices that the list adds. */
  readonly boxKeys: readonly Statement[];
  /** True if the list needs a fresh proof of sign-in. */
  readonly removes: boolean;
  readonly epoch: BuiltEpoch | null;
  /** Chain before the list; null for a first one. */
  readonly before: Chain | null;
}

const pendingKey = 'pendingList';

export const readPending = ({ store }: KeyContext): Promise<PendingList | undefined> =>
  store.read<PendingList>(pendingKey);

export const storePending = ({ store }: KeyContext, pending: PendingList): Promise<void> =>
  store.write({ [pendingKey]: pending });

export type ListOutcome =
  | { readonly outcome: 'accepted'; readonly pending: PendingList }
  | { readonly outcome: 'refused'; readonly pending: PendingList; readonly error: ApiError };

interface ListBody {
  list: { body: string; signature: string };
  boxKeys: { body: string; signature: string }[];
  vault?: NewEpoch;
  removes?: boolean;
}

function bodyOf({ list, boxKeys, epoch, removes }: PendingList): ListBody {
  return {
    list: toSigned(list),
    boxKeys: boxKeys.map(toSigned),
    ...(epoch && { vault: epoch.request }),
    ...(removes && { removes }),
  };
}

async function send({ call }: KeyContext, pending: PendingList): Promise<number> {
  const { removes, ...body } = bodyOf(pending);
  const reply =
    pending.purpose === 'identity'
      ? await call(routes.replaceIdentity, { body })
      : await call(routes.addDeviceList, { body: { ...body, ...(removes && { removes }) } });
  return reply.chain;
}

/** Chain with the list, which the server accepted. */
async function chainWith({ account }: KeyContext, pending: PendingList, work: Work, chain: number): Promise<Chain> {
  const known = work.own?.chain;
  const isNew = pending.purpose === 'first' || pending.purpose === 'identity';
  const { n } = readList(pending.list);
  const isKnown = known && hasList(known, { identity: known.identity, n, hash: await hashOfList(pending.list) });
  if (isKnown) return known;
  const before = isNew ? null : (longerOf(known, pending.before) ?? null);
  const after = before ? await extendChain(before, [pending.list]) : await startChain(account, chain, [pending.list]);
  const added = pending.boxKeys.map((statement) => ({ ...statement, device: readBoxKeys(statement).device }));
  return (await acceptBoxKeys(after, added)).chain;
}

/** Chain of the two that has more lists, if both are of one identity. */
const longerOf = (known: Chain | undefined, before: Chain | null): Chain | undefined =>
  known && before && equalBytes(known.identity, before.identity) && known.hashes.length >= before.hashes.length
    ? known
    : (before ?? known);

/** Values that store an accepted epoch of the vault, unless the vault knows it already. */
function withEpoch(vault: Vault, epoch: BuiltEpoch): { vault: Vault; values: Record<string, unknown> } {
  const known = vault.epochs.find(({ n }) => n === epoch.stored.n);
  if (known?.secret) return { vault, values: {} };
  const isNewest = (vault.head?.header.n ?? -1) < epoch.stored.n;
  const after = withStored({ ...vault, head: isNewest ? epoch.head : vault.head }, { epochs: [epoch.stored] });
  return { vault: after, values: toVaultValues(after, { epochs: [epoch.stored] }) };
}

/** Stores what the server accepted, and forgets the pending list, in one write. */
async function apply(context: KeyContext, work: Work, pending: PendingList, chainNumber: number): Promise<void> {
  const chain = await chainWith(context, pending, work, chainNumber);
  const former = work.own?.chain.identity;
  const isOther = former !== undefined && !equalBytes(former, chain.identity);
  const own: OwnAccount = {
    chain,
    replaced: [...(work.own?.replaced ?? []), ...(isOther && pending.purpose === 'identity' ? [former] : [])],
  };
  const isSelf = pending.purpose === 'first' || pending.purpose === 'identity' || pending.purpose === 'recover';
  const device = work.device && isSelf ? { ...work.device, isListed: true } : work.device;
  const loaded = await loadVault(context, chain);
  const { vault, values } = pending.epoch ? withEpoch(loaded, pending.epoch) : { vault: loaded, values: {} };
  const { list, hash, identity } = chain.newest;
  const pin = { kind: 'pin', account: chain.account, identity, n: list.n, hash, replaced: null, counter: 0 } as const;
  const isRestart = pending.purpose === 'recover' && pending.epoch?.head.header.reason === 3;
  await context.store.write({
    ...values,
    ...(isRestart && (await toRestartWarning(context))),
    ...(await toQueued(context, vault.id, [pin])),
    [ownKey]: own,
    [deviceKey]: device,
    [pendingKey]: undefined,
  });
  Object.assign(work, { own, device, vault, served: undefined, verdict: 'same' } satisfies Partial<Work>);
}

/** Returns the server's chain number if it has this list; undefined otherwise. */
async function findAccepted(context: KeyContext, { list, before }: PendingList): Promise<number | undefined> {
  const reply = await fetchOwn(context, queryAfter(before ?? undefined));
  const { chain, other } = await checkReply(before ?? undefined, reply, (query) => fetchOwn(context, query));
  const { n } = readList(list);
  const hash = await hashOfList(list);
  return [chain, other].find((one) => one && hasList(one, { identity: one.identity, n, hash }))?.chain;
}

/** Answers after which the same request may still succeed. */
const mayRepeat = (error: ApiError): boolean => error.passing || error.status === 401 || error.status === 408;

/**
 * Sends the list in flight, if there is one, and stores what was accepted.
 *
 * @returns undefined if there is none
 * @throws ApiError if it has to be repeated later
 */
export async function sendPending(context: KeyContext, work: Work): Promise<ListOutcome | undefined> {
  const pending = await readPending(context);
  if (!pending) return undefined;
  let chain: number | undefined;
  try {
    chain = await send(context, pending);
  } catch (error) {
    if (!(error instanceof ApiError) || mayRepeat(error)) throw error;
    // An earlier attempt may have been accepted, and its answer lost.
    chain = await findAccepted(context, pending);
    if (chain === undefined) {
      await context.store.write({ [pendingKey]: undefined });
      return { outcome: 'refused', pending, error };
    }
  }
  await apply(context, work, pending, chain);
  return { outcome: 'accepted', pending };
}
