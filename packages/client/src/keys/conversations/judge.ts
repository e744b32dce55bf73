import { equalBytes, fromUuid, toUuid, type Bytes } from '@nolo/e2ee';
import type { KeyContext } from '../context.ts';
import { describePeople } from '../personKeys.ts';
import type { PersonKeys } from '../types.ts';
import type { VaultReader } from '../vaultState.ts';
import { fromSigned, nameOf } from '../wire.ts';
import { isBlocked, isJoined, requireJoined, type Work } from '../work.ts';
import { type ListsOf } from './accountLists.ts';
import {
  headerOf,
  membersOf,
  newestOf,
  type Conversation,
  type ConversationEpoch,
  type PendingEpoch,
} from './conversation.ts';
import { isOfChain } from './nextEpoch.ts';
import type { ConversationFacts, ConversationQuestion, SendState } from './types.ts';

/** Judges how a message would go, and what the user has to answer first (docs/encryption.md, sections 3 to 5). */

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

const others = ({ facts, context }: Judging): string[] =>
  facts.memberIds.filter((id) => id !== toUuid(context.account));

const hasKeys = ({ lists }: Judging, userId: string): boolean => {
  const { chain, other } = lists(fromUuid(userId));
  return chain !== null || other !== null;
};

/** Returns true if a direct conversation's peer has no device that a secret can be sealed to. */
function hasNoReader(judging: Judging): boolean {
  if (judging.facts.type !== 'direct') return false;
  return others(judging).some((id) => {
    const { chain } = judging.lists(fromUuid(id));
    if (!chain) return false;
    return !chain.newest.list.devices.some(({ id: device, kind }) => kind !== 2 && chain.boxKeys[nameOf(device)]);
  });
}

/** Header that asks questions. */
type AskingHeader = Pick<ConversationEpoch, 'hash' | 'statement'>;

/** Questions that headers ask, whatever the people's keys are. */
function headerQuestions(judging: Judging, headers: readonly AskingHeader[]): ConversationQuestion[] {
  const { context, facts } = judging;
  const asked: ConversationQuestion[] = [];
  const userIds = facts.memberIds;
  const isOwn = (account: Bytes): boolean => equalBytes(account, context.account);
  for (const epoch of headers) {
    const { n, reason, changes, kind, account } = headerOf(epoch);
    const hash = nameOf(epoch.hash);
    if (kind !== 2 && reason !== 3) continue;
    const isMine = isOwn(account);
    if (n === 0 && reason === 4) asked.push({ id: 'members', kind: 'members', userIds });
    const entered = changes.find(
      (one) =>
        kind === 2 && n > 0 && !isMine && isOwn(one.account) && (one.type === 0 || one.type === 6) && !one.evidence,
    );
    if (entered) asked.push({ id: `entered:${hash}`, kind: 'members', userIds });
    const joined = changes.filter((one) => n > 0 && one.type === 0 && !one.evidence && !isOwn(one.account));
    if (joined.length > 0)
      asked.push({ id: 'joined', kind: 'joined', userIds: joined.map((one) => toUuid(one.account)) });
    if (n > 0 && reason === 3 && !isMine)
      asked.push({ id: `restart:${hash}`, kind: 'restart', userId: toUuid(account) });
  }
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

const removedQuestions = ({ epochs }: Conversation): ConversationQuestion[] =>
  epochs.flatMap(({ hash, removedSigner }) =>
    removedSigner
      ? [{ id: `removed_device:${nameOf(hash)}`, kind: 'removed_device', userId: toUuid(removedSigner) } as const]
      : [],
  );

/** Question about a person's keys. */
function personQuestion(
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

export interface Judged {
  readonly send: SendState;
  /** True if the newest epoch has a secret that this device can seal with. */
  readonly hasSecret: boolean;
}

/** Time after which a device that cannot open the newest secret begins another epoch (section 4). */
const unopenedMs = 60_000;

/** Returns true if this device asked for the newest secret long ago, so that it begins another epoch. */
export function isUnopened({ asked }: Conversation, { n, secret }: ConversationEpoch, now: number): boolean {
  const at = asked[n];
  return !secret && at !== undefined && now - at > unopenedMs;
}

/** Returns true if a header is of the conversation's type and, in a direct one, of its two accounts. */
function isOfFacts(epoch: ConversationEpoch, { type, memberIds }: ConversationFacts): boolean {
  if ((headerOf(epoch).kind === 1) !== (type === 'direct')) return false;
  return type === 'group' || membersOf(epoch).every(({ account }) => memberIds.includes(toUuid(account)));
}

/**
 * Returns a member whose devices an epoch names, but of whom the server shows no list: the header's list was never
 * pinned, so nothing would tell the user of another identity.
 */
function unknownIn(epoch: ConversationEpoch, lists: ListsOf): string | undefined {
  const found = membersOf(epoch).find(({ account, list }) => {
    const { chain, other } = lists(account);
    return list !== null && chain === null && other === null;
  });
  return found && toUuid(found.account);
}

/** Says how a message would go. */
export async function judge(judging: Judging): Promise<SendState> {
  const { context, work, reader, conversation, facts, lists } = judging;
  if (!isJoined(work) || isBlocked(work) || work.own?.chain.fork) return { state: 'blocked', reason: 'keys' };
  if (conversation.block) return { state: 'blocked', reason: conversation.block };
  const newest = newestOf(conversation);
  if (newest && !isOfFacts(newest, facts)) return { state: 'blocked', reason: 'refused' };
  const people = await describePeople(context, work, reader, others(judging));
  const unknown = newest && unknownIn(newest, lists);
  if (unknown) return { state: 'blocked', reason: 'old', userId: unknown };
  const blocked = people.find(({ blocked: one }) => one !== null);
  if (blocked?.blocked) return { state: 'blocked', reason: blocked.blocked, userId: blocked.userId };
  if (!newest) {
    if (facts.sealedFromSeq !== null) return { state: 'blocked', reason: 'old' };
    const withoutKeys = others(judging).filter((id) => !hasKeys(judging, id));
    if (withoutKeys.length > 0 || others(judging).length === 0) return { state: 'plain', withoutKeys };
  }
  const questions = [
    ...[...headerQuestions(judging, conversation.epochs), ...removedQuestions(conversation)].filter(
      ({ id }) => conversation.answers[id] !== true,
    ),
    ...people.flatMap((one) => personQuestion(judging, one)),
  ];
  if (questions.length > 0) return { state: 'question', questions };
  if (newest && !isMemberOf(judging, newest) && !isAbandoned(judging, newest)) return { state: 'waiting_for_key' };
  if (hasNoReader(judging)) return { state: 'waiting_for_key' };
  const isReady = !newest || newest.secret !== null || isUnopened(conversation, newest, context.now());
  const { ready } = requireJoined(work);
  const isListed = newest?.devices.some(({ device }) => equalBytes(device, ready.device.id));
  // A device that the newest header does not list yet begins the next epoch.
  return isReady || isListed === false || lists(context.account).chain === null
    ? { state: 'sealed' }
    : { state: 'waiting_for_key' };
}

/**
 * Returns true if the own account, and everyone else, has lost the identity of the roster or has no device in it: then
 * the conversation starts anew (section 4, `reason` 3).
 */
function isAbandoned({ context, lists }: Judging, epoch: ConversationEpoch): boolean {
  const members = membersOf(epoch);
  const isMember = members.some(({ account }) => equalBytes(account, context.account));
  return (
    isMember &&
    members.every(({ account, list, devices }) => {
      const { chain } = lists(account);
      return devices.length === 0 || list === null || (chain !== null && !isOfChain(chain, list));
    })
  );
}

/** Returns true if the own account, with its identity, is in the roster. */
function isMemberOf({ context, lists }: Judging, epoch: ConversationEpoch): boolean {
  const member = membersOf(epoch).find(({ account }) => equalBytes(account, context.account));
  const { chain } = lists(context.account);
  return member !== undefined && (member.list === null || isOfChain(chain, member.list));
}
