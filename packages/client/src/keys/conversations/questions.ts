import {
  changeTypes,
  equalBytes,
  findMember,
  fromUuid,
  toUuid,
  type Bytes,
  type Change,
  type ListResolver,
  type Member,
} from '@nolo/e2ee';
import { ApiError } from '../../http/request.ts';
import type { KeyContext } from '../context.ts';
import { describeDevice } from '../newerQuestion.ts';
import { decisionsOf, readDecisions, readPerson } from '../people.ts';
import type { PersonKeys } from '../types.ts';
import type { VaultReader } from '../vaultState.ts';
import { fromSigned, nameOf } from '../wire.ts';
import { requireJoined, type Work } from '../work.ts';
import { resolveLists, type ListsOf } from './accountLists.ts';
import { findEndable } from './branches.ts';
import {
  headerOf,
  membersOf,
  newestOf,
  type Conversation,
  type ConversationEpoch,
  type PendingEpoch,
} from './conversation.ts';
import { isOfChain, isOfIdentity } from './nextEpoch.ts';
import type { ConversationFacts, ConversationQuestion } from './types.ts';

/** Questions that the user answers before anything is sent (docs/encryption.md, sections 3 to 6). */

export interface Judging {
  readonly context: KeyContext;
  readonly work: Work;
  readonly reader: VaultReader;
  readonly conversation: Conversation;
  readonly facts: ConversationFacts;
  readonly lists: ListsOf;
}

/** Returns true if the epoch that would begin a conversation names members whom the server supplied. */
const startsWithServerMembers = ({ facts, conversation }: Judging): boolean =>
  facts.type === 'group' && (facts.hasPlainMessages || conversation.pending?.head.header.reason === 4);

/**
 * Returns true if a change of header `n` lets somebody in without a member's signature: by the code, by another
 * identity, or by the first list of a member who had none (section 4, What clients accept).
 */
function isUnsignedEntry({ conversation }: Judging, n: number, change: Change): boolean {
  if (change.type === changeTypes.add || change.type === changeTypes.identity) return !change.evidence;
  if (change.type !== changeTypes.list) return false;
  const before = conversation.epochs.find((one) => one.n === n - 1);
  return before !== undefined && findMember(membersOf(before), change.account)?.list === null;
}

/** Header that asks questions. */
type AskingHeader = Pick<ConversationEpoch, 'hash' | 'statement'>;

/** Questions that headers ask, whatever the people's keys are. */
export function headerQuestions(judging: Judging, headers: readonly AskingHeader[]): ConversationQuestion[] {
  const { context, facts } = judging;
  const asked: ConversationQuestion[] = [];
  const joined = new Set<string>();
  const userIds = facts.memberIds;
  const isOwn = (account: Bytes): boolean => equalBytes(account, context.account);
  for (const epoch of headers) {
    const { n, reason, changes, kind, account } = headerOf(epoch);
    const hash = nameOf(epoch.hash);
    if (kind !== 2 && reason !== 3) continue;
    const isMine = isOwn(account);
    if (n === 0 && reason === 4) asked.push({ id: 'members', kind: 'members', userIds });
    const hasEntered = changes.some((one) => isOwn(one.account) && isUnsignedEntry(judging, n, one));
    const isRestarter = isMine && reason === 3;
    if (kind === 2 && n > 0 && (hasEntered || isRestarter))
      asked.push({ id: `entered:${hash}`, kind: 'members', userIds });
    const byCode = changes.filter((one) => n > 0 && one.type === 0 && !one.evidence && !isOwn(one.account));
    for (const one of byCode) joined.add(toUuid(one.account));
    if (n > 0 && reason === 3 && !isMine)
      asked.push({ id: `restart:${hash}`, kind: 'restart', userId: toUuid(account) });
  }
  if (joined.size > 0) asked.push({ id: 'joined', kind: 'joined', userIds: [...joined] });
  if (headers.length === 0 && startsWithServerMembers(judging)) asked.push({ id: 'members', kind: 'members', userIds });
  return [...new Map(asked.map((one) => [one.id, one])).values()];
}

/**
 * Returns the questions of an epoch that this device built and nobody has yet: about people whom the server supplied,
 * or who joined by the code. Nothing is sealed for them before the user said yes.
 */
export function pendingQuestions(judging: Judging, { head, request }: PendingEpoch): ConversationQuestion[] {
  const header = { hash: head.hash, statement: fromSigned(request.header) };
  return headerQuestions(judging, [header]).filter(({ id }) => judging.conversation.answers[id] !== true);
}

export const removedQuestions = ({ epochs }: Conversation): ConversationQuestion[] =>
  epochs.flatMap(({ hash, removedSigner }) =>
    removedSigner
      ? [{ id: `removed_device:${nameOf(hash)}`, kind: 'removed_device', userId: toUuid(removedSigner) } as const]
      : [],
  );

const identityQuestionId = (userId: string, identity: Bytes): string => `identity:${userId}:${nameOf(identity)}`;

/** Question about a person's keys. */
export function personQuestion(
  { conversation, facts, lists }: Judging,
  { userId, identity }: PersonKeys,
): ConversationQuestion[] {
  if (identity === 'undecided') return [{ id: `undecided:${userId}`, kind: 'undecided', userId }];
  if (identity !== 'changed') return [];
  const account = fromUuid(userId);
  const { chain, other } = lists(account);
  const member = newestOf(conversation) && conversation.head?.members.find((one) => equalBytes(one.account, account));
  // Groups go on without the devices of the replaced identity.
  const isLeftOut = facts.type === 'group' && (!member?.list || isOfChain(chain, member.list));
  if (isLeftOut && member) return [];
  const name = other ?? chain;
  return [{ id: `identity:${userId}:${name ? nameOf(name.identity) : ''}`, kind: 'identity', userId }];
}

/** Resolves lists. If the server does not show them, only those that are known. */
async function resolveKnown({ context, work, reader }: Judging, members: readonly Member[]): Promise<ListResolver> {
  try {
    return await resolveLists(context, work, reader, members);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return () => undefined;
  }
}

/**
 * Questions about people of whom the newest header names another identity than the one that counts here, although this
 * account never replaced it: the server showed this device another one at their first meeting.
 */
export async function unmetQuestions(judging: Judging, people: readonly PersonKeys[]): Promise<ConversationQuestion[]> {
  const { context, work, reader, conversation, lists } = judging;
  const named = people.flatMap(({ userId, identity, verified }) => {
    const member = findMember(conversation.head?.members ?? [], fromUuid(userId));
    if (!member?.list || identity !== 'known' || verified) return [];
    const { chain, other } = lists(member.account);
    if (!chain || isOfIdentity(chain, member.list) || isOfChain(other, member.list)) return [];
    if (conversation.answers[identityQuestionId(userId, chain.identity)] === true) return [];
    return [{ userId, member, list: member.list, chain }];
  });
  if (named.length === 0) return [];
  const state = await readDecisions(context, work, reader);
  const resolver = await resolveKnown(
    judging,
    named.map(({ member }) => member),
  );
  const questions: ConversationQuestion[] = [];
  for (const { userId, member, list, chain } of named) {
    const former = resolver(member.account, list)?.identity;
    const { replaced = [] } = (await readPerson(context, member.account)) ?? {};
    const accepted = [chain.identity, ...replaced, ...decisionsOf(state, member.account).replaced];
    if (former && accepted.some((one) => equalBytes(one, former))) continue;
    questions.push({ id: identityQuestionId(userId, chain.identity), kind: 'identity', userId });
  }
  return questions;
}

/** Questions about two versions that ended: a change 8, or a removal that this device took over. */
export function endedQuestions({ work, conversation }: Judging): ConversationQuestion[] {
  const { device } = requireJoined(work).ready;
  return conversation.epochs.flatMap((epoch) => {
    const { changes, device: committer } = headerOf(epoch);
    const evidence = changes.find(({ type }) => type === 8)?.evidence;
    const isSwitched = conversation.switched.some(({ hash, isAsked }) => isAsked && equalBytes(hash, epoch.hash));
    const isAsked = isSwitched || (evidence?.by === 'member' && !equalBytes(committer, device.id));
    if (!isAsked) return [];
    const userId = evidence?.by === 'member' ? toUuid(evidence.account) : null;
    return [{ id: `fork_ended:${nameOf(epoch.hash)}`, kind: 'fork_ended', userId } as const];
  });
}

/** Returns the fork that this account can end. Without a network, only if all lists are known. */
export async function endableFork({ context, work, reader, conversation }: Omit<Judging, 'facts' | 'lists'>) {
  if (conversation.forks.length === 0) return undefined;
  const members = [...conversation.epochs, ...conversation.others].flatMap(membersOf);
  try {
    return findEndable(conversation, context.account, await resolveLists(context, work, reader, members));
  } catch (error) {
    if (!(error instanceof ApiError) || !error.passing) throw error;
    return undefined;
  }
}

/** Question about a fork that this account can end. */
export async function forkQuestion(judging: Judging): Promise<ConversationQuestion | undefined> {
  const endable = await endableFork(judging);
  return endable && { id: `fork:${nameOf(endable.tip)}`, kind: 'fork', removes: endable.removes.map(toUuid) };
}

/** Question about two versions of the devices of a group's member, whose list the newest header names. */
export function deviceForkQuestion(
  { conversation, facts, lists }: Judging,
  { userId, blocked }: PersonKeys,
): ConversationQuestion | undefined {
  if (facts.type !== 'group' || blocked !== 'fork') return undefined;
  const account = fromUuid(userId);
  const { chain } = lists(account);
  const list = findMember(conversation.head?.members ?? [], account)?.list;
  if (!list || !chain?.fork || !isOfChain(chain, list)) return undefined;
  return { id: `device_fork:${userId}:${nameOf(list.hash)}`, kind: 'device_fork', userId };
}

/** Question about a header that only another device of the account saw, unless the user set it aside. */
export async function newerQuestion({
  context,
  work,
  conversation: { newer, answers },
}: Judging): Promise<ConversationQuestion | undefined> {
  const id = newer && `newer:${nameOf(newer.hash)}`;
  if (!newer || !id || answers[id] === true) return undefined;
  return { id, kind: 'newer', ...(await describeDevice(context, work, newer.device)) };
}
