import { routes, type EpochTarget } from '@nolo/api';
import { equalBytes, findMember, fromUuid, Refusal, toUuid, type Bytes, type Change } from '@nolo/e2ee';
import { ApiError } from '../../http/request.ts';
import type { KeyContext } from '../context.ts';
import { readDecisions } from '../people.ts';
import type { VaultReader } from '../vaultState.ts';
import { syncVault } from '../vaultWork.ts';
import { isCertain, isJoined, requireJoined, type Work } from '../work.ts';
import { readLists, refreshLists, resolveLists, toAccounts, withNamedLists, type ListsOf } from './accountLists.ts';
import { additionsIn, outsidersOf } from './additions.ts';
import { newestOf, type Conversation, type PendingEpoch } from './conversation.ts';
import { isNextDue } from './due.ts';
import { isUnopened, judge } from './judge.ts';
import { leavesIn, withoutRefused } from './leaves.ts';
import { buildNextEpoch, type EpochParts } from './nextEpoch.ts';
import { storeConversation, syncConversation } from './syncConversation.ts';
import type { ConversationFacts, SendState } from './types.ts';

/** Bringing a conversation up to date before something is sealed, and the epoch for it. */

export interface Preparing {
  readonly context: KeyContext;
  readonly work: Work;
  readonly reader: VaultReader;
  readonly facts: ConversationFacts;
}

export interface Prepared extends Preparing {
  /** True if the server was asked just now. */
  readonly isRefreshed: boolean;
  /** People whose box keys were asked for as well, so that the next epoch does not ask again. */
  readonly boxKeysAsked: readonly string[];
  readonly conversation: Conversation;
  readonly lists: ListsOf;
}

/**
 * Reads the vault, headers, and lists anew, those of all members if `changed` is null. Lists come last: a device that
 * signed a header before it was removed is no reason to ask.
 *
 * @param keep gets the conversation with its new headers, which are stored even if a later request fails
 */
async function refresh(
  preparing: Preparing,
  known: Conversation,
  changed: readonly string[] | null,
  keep: (conversation: Conversation) => void,
): Promise<Pick<Prepared, 'conversation' | 'boxKeysAsked'>> {
  const { context, work, reader, facts } = preparing;
  if (isCertain(work)) await syncVault(context, work, reader);
  const conversation = await syncConversation(context, work, reader, known);
  keep(conversation);
  const userIds = [...new Set(changed ?? [...facts.memberIds, ...membersIn(conversation)])];
  // Other members need another epoch, which needs the box keys of all.
  const boxKeys = facts.type === 'direct' || hasOtherMembers(conversation, facts);
  await refreshLists(context, work, reader, toAccounts(userIds), { boxKeys });
  return { conversation: await withAdditions(preparing, conversation), boxKeysAsked: boxKeys ? userIds : [] };
}

/** Returns true if the server's members are others than those of the newest header, or there is no header. */
function hasOtherMembers(conversation: Conversation, { memberIds }: ConversationFacts): boolean {
  const present = new Set(membersIn(conversation));
  return present.size !== new Set(memberIds).size || memberIds.some((id) => !present.has(id));
}

/** Asks for the additions of members whom no header has. */
async function withAdditions(preparing: Preparing, conversation: Conversation): Promise<Conversation> {
  const { context, facts } = preparing;
  const hasOutsiders = facts.type === 'group' && outsidersOf(conversation, facts.memberIds).length > 0;
  if (!hasOutsiders) return conversation.additions.length === 0 ? conversation : { ...conversation, additions: [] };
  const target = await context.call(routes.getEpochTarget, { params: { id: facts.id } });
  return { ...conversation, additions: await additionsIn(preparing, conversation, target) };
}

const membersIn = ({ head }: Conversation): string[] => (head?.members ?? []).map(({ account }) => toUuid(account));

/** Returns the conversation with what the server says of its type and members. */
function withFacts(known: Conversation, { type, memberIds }: ConversationFacts): Conversation {
  const isSame = known.facts?.type === type && known.facts.memberIds.join() === memberIds.join();
  return isSame ? known : { ...known, facts: { type, memberIds } };
}

/**
 * Brings a conversation up to date. Without a network, what is known counts.
 *
 * @param changed people whose lists are fetched, because all others were looked at lately; null for everyone
 * @throws ApiError if nothing is known of the conversation and the server cannot be asked
 */
export async function prepare(
  preparing: Preparing,
  known: Conversation,
  changed: readonly string[] | null,
): Promise<Prepared> {
  const { context, work, facts } = preparing;
  let isRefreshed = false;
  let boxKeysAsked: readonly string[] = [];
  let conversation = withFacts(known, facts);
  // A new member may have an addition that this device has not seen.
  const hasSameMembers = conversation === known;
  if ((changed?.length !== 0 || !hasSameMembers) && isJoined(work)) {
    try {
      const asked = hasSameMembers ? changed : null;
      const refreshed = await refresh(preparing, conversation, asked, (synced) => (conversation = synced));
      ({ conversation, boxKeysAsked } = refreshed);
      isRefreshed = true;
    } catch (error) {
      if (!(error instanceof ApiError) || !error.passing || !known.head) throw error;
    }
  }
  const accounts = toAccounts([...facts.memberIds, ...membersIn(conversation), toUuid(context.account)]);
  const lists = isJoined(work) ? await listsFor(context, work, accounts, conversation) : () => nothing;
  return { ...preparing, conversation, lists, isRefreshed, boxKeysAsked };
}

/** Reads the lists that a conversation goes on with. */
async function listsFor(
  context: KeyContext,
  work: Work,
  accounts: readonly Bytes[],
  { facts, head }: Conversation,
): Promise<ListsOf> {
  const lists = await readLists(context, work, accounts);
  return facts?.type === 'group' ? withNamedLists(lists, head?.members ?? []) : lists;
}

const nothing = { chain: null, other: null, suspended: [] };

export const judgePrepared = (prepared: Prepared): Promise<SendState> => judge(prepared);

/** Returns true if the next message needs another epoch. */
export function isDue({ context, work, conversation, facts, lists }: Prepared): boolean {
  const newest = newestOf(conversation);
  const { head, additions } = conversation;
  if (!newest || !head) return true;
  const { device } = requireJoined(work).ready;
  const own = { account: context.account, device: device.id };
  const startedAt = newest.place.at;
  const parts = { head, startedAt, lists, memberIds: facts.memberIds, additions, own, now: context.now() };
  return isUnopened(conversation, newest, context.now()) || isNextDue(parts);
}

/** Returns the epoch that was built before, if it follows the newest header. */
function following({ pending, head }: Conversation): PendingEpoch | null {
  const previous = pending?.head.header.previous ?? null;
  const follows = head && previous ? equalBytes(previous, head.hash) : head === previous;
  return follows ? pending : null;
}

/** Returns the epoch that was built before, if it still fits. */
export function reusable({ context, work, conversation, facts, lists }: Prepared): PendingEpoch | null {
  const { additions } = conversation;
  const pending = following(conversation);
  if (!pending) return null;
  const { n, reason } = pending.head.header;
  // The header says that nobody wrote unsealed before it, and somebody did since it was built.
  if (n === 0 && reason === 0 && facts.hasPlainMessages) return null;
  const { device } = requireJoined(work).ready;
  const own = { account: context.account, device: device.id };
  const startedAt = pending.head.header.at;
  const parts = {
    head: pending.head,
    startedAt,
    lists,
    memberIds: facts.memberIds,
    additions,
    own,
    now: context.now(),
  };
  return isNextDue(parts) ? null : pending;
}

async function fetchTarget({ context }: Prepared, id: Bytes): Promise<EpochTarget> {
  return context.call(routes.getEpochTarget, { params: { id: toUuid(id) } });
}

/** Lists that the next header may name. */
function namedNow({ conversation, lists }: Prepared, accounts: readonly Bytes[]) {
  const members = conversation.head?.members ?? [];
  const newest = accounts.flatMap((account) => {
    const { chain } = lists(account);
    return chain ? [{ account, list: { n: chain.newest.list.n, hash: chain.newest.hash } }] : [];
  });
  return [...members.map(({ account, list }) => ({ account, list })), ...newest];
}

export type BuiltNext =
  | { readonly state: 'built'; readonly pending: PendingEpoch; readonly prepared: Prepared }
  /** The server's members or settings follow from no change that this device may commit. */
  | { readonly state: 'blocked'; readonly reason: 'members' };

/**
 * Returns true if the members of an epoch are those of the server and of the changes. In a private group, those whom
 * nobody signed for may be missing.
 */
function hasMembers(
  { head }: Conversation,
  pending: PendingEpoch,
  target: EpochTarget,
  signed: readonly Change[],
): boolean {
  const ids = new Set(target.members.map(({ userId }) => userId));
  for (const { type, account } of signed) {
    if (type === 0) ids.add(toUuid(account));
    if (type === 1 || type === 2) ids.delete(toUuid(account));
  }
  const { members } = pending.head;
  const mayLack = (id: string): boolean =>
    head?.header.admission === 0 && head.header.kind === 2 && !findMember(head.members, fromUuid(id));
  const has = (id: string): boolean => findMember(members, fromUuid(id)) !== undefined;
  return members.every(({ account }) => ids.has(toUuid(account))) && [...ids].every((id) => has(id) || mayLack(id));
}

/** Builds an epoch with the additions that were signed, or without them if their signer is gone in it. */
async function buildWith(context: KeyContext, parts: EpochParts): Promise<PendingEpoch> {
  try {
    return await buildNextEpoch(context, parts);
  } catch (error) {
    if (!(error instanceof Refusal) || parts.additions.length === 0) throw error;
    return buildNextEpoch(context, { ...parts, additions: [] });
  }
}

interface BuildOptions {
  /** Changes that this device signed. */
  readonly signed?: readonly Change[];
  /** True if the server may have refused the epoch that was built before. Its leaves are not tried again. */
  readonly isAgain: boolean;
}

/**
 * Builds the next epoch and stores it, before anything of it is sent.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function buildNext(prepared: Prepared, { signed = [], isAgain }: BuildOptions): Promise<BuiltNext> {
  const { context, work, reader, facts, conversation } = prepared;
  const target = await fetchTarget(prepared, conversation.id);
  const isOther = target.type !== facts.type;
  const direct = [...facts.memberIds].toSorted().join();
  const isInserted = target.type === 'direct' && target.members.map(({ userId }) => userId).join() !== direct;
  if (isOther || isInserted) return { state: 'blocked', reason: 'members' };
  const wanted = target.members.map(({ userId }) => fromUuid(userId));
  const added = signed.flatMap(({ type, account }) => (type === 0 ? [account] : []));
  const accounts = [...wanted, ...added, ...(conversation.head?.members ?? []).map(({ account }) => account)];
  // Box keys of a group are fetched only to begin an epoch.
  const known = new Set(facts.type === 'group' ? prepared.boxKeysAsked : facts.memberIds);
  const fetched = (facts.type === 'group' ? accounts : wanted).filter((one) => !known.has(toUuid(one)));
  if (fetched.length > 0) await refreshLists(context, work, reader, fetched);
  const lists = await listsFor(context, work, accounts, conversation);
  const now = { ...prepared, lists };
  const additions = await additionsIn(prepared, conversation, target);
  const resolver = await resolveLists(context, work, reader, [...namedNow(now, accounts), ...additions]);
  const { head } = conversation;
  const counting = head ? await leavesIn(head, target.leaves, { lists: resolver, now: context.now() }) : [];
  const leaves = withoutRefused(counting, isAgain ? following(conversation) : null);
  const { device } = requireJoined(work).ready;
  const { hasPlainMessages } = facts;
  const parts = { device, conversation, lists, resolver, target, signed, additions, leaves, hasPlainMessages };
  try {
    const pending = await buildWith(context, parts);
    if (!hasMembers(conversation, pending, target, signed)) return { state: 'blocked', reason: 'members' };
    const after = { ...conversation, pending };
    const state = await readDecisions(context, work, reader);
    await storeConversation({ context, work, state }, conversation, after);
    return { state: 'built', pending, prepared: { ...now, conversation: after } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { state: 'blocked', reason: 'members' };
  }
}
