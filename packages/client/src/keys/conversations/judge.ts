import { equalBytes, findMember, fromUuid, toUuid, type Bytes } from '@nolo/e2ee';
import { decisionsOf, readDecisions } from '../people.ts';
import { describePeople } from '../personKeys.ts';
import type { PersonKeys } from '../types.ts';
import { nameOf } from '../wire.ts';
import { isBlocked, isJoined, requireJoined } from '../work.ts';
import type { ListsOf } from './accountLists.ts';
import { findAddition } from './additions.ts';
import {
  headerOf,
  membersOf,
  newestOf,
  type Conversation,
  type ConversationEpoch,
  type PendingEpoch,
} from './conversation.ts';
import { isOfIdentity } from './nextEpoch.ts';
import {
  deviceForkQuestion,
  endedQuestions,
  forkQuestion,
  headerQuestions,
  newerQuestion,
  personQuestion,
  removedQuestions,
  unmetQuestions,
  type Judging,
} from './questions.ts';
import type { ConversationFacts, ConversationQuestion, SendState } from './types.ts';

/** Judges how a message would go (docs/encryption.md, sections 3 to 5). */

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

/** Says why nothing can be sent, whatever the user answers. */
async function judgeBlocks(judging: Judging, people: readonly PersonKeys[]): Promise<SendState | undefined> {
  const { work, conversation, facts, lists } = judging;
  if (!isJoined(work) || isBlocked(work) || work.own?.chain.fork) return { state: 'blocked', reason: 'keys' };
  if (conversation.block) {
    const fork = conversation.block === 'fork' ? await forkQuestion(judging) : undefined;
    return fork ? { state: 'question', questions: [fork] } : { state: 'blocked', reason: conversation.block };
  }
  const newest = newestOf(conversation);
  if (newest && !isOfFacts(newest, facts)) return { state: 'blocked', reason: 'refused' };
  const unknown = newest && unknownIn(newest, lists);
  if (unknown) return { state: 'blocked', reason: 'old', userId: unknown };
  const blocked = people.find((one) => one.blocked !== null && !deviceForkQuestion(judging, one));
  return blocked?.blocked ? { state: 'blocked', reason: blocked.blocked, userId: blocked.userId } : undefined;
}

/** Says how a message goes to a conversation without a header; undefined if it begins one. */
async function judgeStart(judging: Judging): Promise<SendState | undefined> {
  const { context, work, reader, conversation, facts } = judging;
  if (facts.sealedFromSeq !== null) return { state: 'blocked', reason: 'old' };
  const people = others(judging);
  const userIds = people.filter((id) => !hasKeys(judging, id));
  // Members of a group without keys read what is sealed once they have a first device.
  const needed = facts.type === 'direct' ? people.length : Math.min(people.length, 1);
  if (people.length - userIds.length >= needed) return undefined;
  if (conversation.isSeen) return { state: 'blocked', reason: 'old' };
  if (facts.type === 'direct') {
    const state = await readDecisions(context, work, reader);
    // The server hides keys that another device of the account has seen.
    const hidden = userIds.find((id) => decisionsOf(state, fromUuid(id)).pin);
    if (hidden) return { state: 'blocked', reason: 'old', userId: hidden };
  }
  if (!facts.hasPlainMessages) return { state: 'waiting_for_key', withoutKeys: userIds };
  if (facts.type === 'direct' || conversation.answers[notEncrypted] === true)
    return { state: 'plain', withoutKeys: userIds };
  return { state: 'question', questions: [{ id: notEncrypted, kind: 'not_encrypted', userIds }] };
}

/** Id of the question, which is asked once for a group. */
const notEncrypted = 'not_encrypted';

/** Returns the questions about headers and people that the user has not answered by yes. */
async function openQuestions(judging: Judging, people: readonly PersonKeys[]): Promise<ConversationQuestion[]> {
  const { conversation } = judging;
  const asked = [
    ...headerQuestions(judging, conversation.epochs),
    ...removedQuestions(conversation),
    ...endedQuestions(judging),
    ...people.flatMap((one) => deviceForkQuestion(judging, one) ?? []),
  ].filter(({ id }) => conversation.answers[id] !== true);
  const aboutPeople = people.flatMap((one) => personQuestion(judging, one));
  return [...asked, ...aboutPeople, ...(await unmetQuestions(judging, people))];
}

/**
 * Returns what says whether a secret may be answered to an account: nothing prevents sending, and the user has no open
 * question that could concern the account. Devices of the own account get what this one has.
 */
export async function answerableTo(judging: Judging): Promise<(account: Bytes) => boolean> {
  const { context, work, reader } = judging;
  if (!isJoined(work)) return () => false;
  const people = await describePeople(context, work, reader, others(judging));
  if ((await judgeBlocks(judging, [])) || (await newerQuestion(judging))) return () => false;
  const questions = await openQuestions(judging, people);
  const concerns = (question: ConversationQuestion, userId: string): boolean => {
    if (question.kind === 'joined') return question.userIds.includes(userId);
    return !('userId' in question) || wide.has(question.kind) || question.userId === userId;
  };
  return (account) => {
    const userId = toUuid(account);
    if (equalBytes(account, context.account)) return true;
    const person = people.find((one) => one.userId === userId);
    const isKnown = person?.identity === 'known' && person.blocked === null;
    return isKnown && !questions.some((one) => concerns(one, userId));
  };
}

/** Kinds of questions about more people than the one that they name. */
const wide: ReadonlySet<ConversationQuestion['kind']> = new Set(['restart', 'removed_device', 'fork_ended']);

/** Says how a message would go. */
export async function judge(judging: Judging): Promise<SendState> {
  const { context, work, reader, conversation, lists } = judging;
  const people = isJoined(work) ? await describePeople(context, work, reader, others(judging)) : [];
  const blocked = await judgeBlocks(judging, people);
  if (blocked) return blocked;
  const newer = await newerQuestion(judging);
  if (newer) return { state: 'question', questions: [newer] };
  const newest = newestOf(conversation);
  const start = newest ? undefined : await judgeStart(judging);
  if (start) return start;
  const entry = newest && isOutside(judging, newest) ? entryState(judging, newest) : undefined;
  // A person who waits outside sends nothing, whatever the answers.
  if (entry?.state === 'waiting_for_entry') return entry;
  const questions = await openQuestions(judging, people);
  if (questions.length > 0) return { state: 'question', questions };
  if (entry) return entry;
  if (newest && !isMemberOf(judging, newest) && !isAbandoned(judging, newest)) return { state: 'waiting_for_key' };
  if (hasNoReader(judging)) return { state: 'waiting_for_key', withoutKeys: others(judging) };
  const isReady = !newest || newest.secret !== null || isUnopened(conversation, newest, context.now());
  const { ready } = requireJoined(work);
  const isListed = newest?.devices.some(({ device }) => equalBytes(device, ready.device.id));
  // A device that the newest header does not list yet begins the next epoch.
  return isReady || isListed === false || lists(context.account).chain === null
    ? { state: 'sealed' }
    : { state: 'waiting_for_key' };
}

/**
 * Returns the people who joined by the code, or changed their identity, after a message was written. It waits for a tap
 * (section 5, Sending).
 */
export function changedSince(
  { context, conversation }: Pick<Judging, 'context' | 'conversation'>,
  pending: PendingEpoch | null,
  writtenAt: number,
): string[] {
  const { members } = pending?.head ?? conversation.head ?? { members: [] };
  const later = conversation.epochs.filter(({ learnedAt }) => learnedAt > writtenAt).map(headerOf);
  const headers = pending && pending.builtAt > writtenAt ? [...later, pending.head.header] : later;
  const accounts = headers.flatMap(({ n, changes }) =>
    changes.flatMap(({ type, account, evidence }) =>
      n > 0 && (type === 6 || (type === 0 && !evidence)) && findMember(members, account) ? [account] : [],
    ),
  );
  return [...new Set(accounts.map(toUuid))].filter((id) => id !== toUuid(context.account));
}

/**
 * Returns true if the own account, and everyone else, has lost the identity of the roster, has no device in it, or left
 * the group: then the conversation starts anew (section 4, `reason` 3).
 */
function isAbandoned(judging: Judging, epoch: ConversationEpoch): boolean {
  const { context, facts, lists } = judging;
  const members = membersOf(epoch);
  const isMember = members.some(({ account }) => equalBytes(account, context.account));
  return (
    isMember &&
    members.every(({ account, list, devices }) => {
      if (facts.type === 'group' && !isPresent(judging, account)) return true;
      const { chain } = lists(account);
      return devices.length === 0 || list === null || (chain !== null && !isOfIdentity(chain, list));
    })
  );
}

/** Returns true if no header has the own account, which the server has in the group. */
const isOutside = ({ context, facts }: Judging, epoch: ConversationEpoch): boolean =>
  facts.type === 'group' && findMember(membersOf(epoch), context.account) === undefined;

/** Returns true if the server has the account in the group, too. */
const isPresent = ({ facts }: Judging, account: Bytes): boolean => facts.memberIds.includes(toUuid(account));

/** A member whose addition was signed commits it. Otherwise the others of the header, as far as they are left, do. */
function entryState(judging: Judging, newest: ConversationEpoch): SendState {
  const { context, conversation } = judging;
  if (findAddition(conversation.additions, context.account)) return { state: 'sealed' };
  const signers = membersOf(newest).filter(({ account, devices }) => devices.length > 0 && isPresent(judging, account));
  return { state: 'waiting_for_entry', letInBy: signers.map(({ account }) => toUuid(account)) };
}

/** Returns true if the own account, with its identity, is in the roster. A member without keys has none. */
function isMemberOf({ context, lists }: Judging, epoch: ConversationEpoch): boolean {
  const member = membersOf(epoch).find(({ account }) => equalBytes(account, context.account));
  const { chain } = lists(context.account);
  return member !== undefined && member.list !== null && isOfIdentity(chain, member.list);
}
