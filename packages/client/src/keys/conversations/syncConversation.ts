import { routes, type Epoch } from '@nolo/api';
import {
  assertSecretOf,
  changeTypes,
  checkNextHeader,
  encodeRoster,
  equalBytes,
  findDevice,
  findMember,
  Refusal,
  toUuid,
  type Bytes,
  type CheckedEpoch,
  type Header,
  type ListResolver,
  type VaultState,
} from '@nolo/e2ee';
import { ApiError } from '../../http/request.ts';
import type { KeyContext } from '../context.ts';
import { readDecisions } from '../people.ts';
import { toQueued } from '../vaultAppend.ts';
import { boxesOf, openSecret } from '../vaultEpochs.ts';
import type { VaultReader } from '../vaultState.ts';
import { openersOf } from '../vaultWork.ts';
import { requireJoined, type Work } from '../work.ts';
import { namedLists, readLists, resolveLists, type ListsOf } from './accountLists.ts';
import {
  checkedAt,
  dropExpired,
  headerOf,
  isExpired,
  membersOf,
  newestOf,
  rosterDevices,
  toConversationValues,
  withEpochs,
  type Conversation,
  type ConversationEpoch,
} from './conversation.ts';
import { hasTwoBeginnings, settleForks, withBranch } from './branches.ts';
import { rebuildEpoch } from './nextEpoch.ts';
import { checkStart, fetchServed, startFor, type Following, type Served } from './servedHeaders.ts';
import type { ConversationBlock } from './types.ts';
import { findNewerHeader, newRecords, secretInVault } from './vaultHeaders.ts';

/** Fetching and checking the headers of a conversation (docs/encryption.md, section 4). */

/** Refuses headers that give the own account an identity which is not its own. */
function assertOwnIdentity(
  { work, context }: Following,
  before: CheckedEpoch | null,
  header: Header,
  lists: ListResolver,
) {
  const { own } = requireJoined(work);
  const accepted = [own.chain.identity, ...own.replaced];
  for (const change of header.changes) {
    if (change.type !== changeTypes.identity || !equalBytes(change.account, context.account)) continue;
    const was = before && findMember(before.members, change.account)?.list;
    const [from, to] = [was && lists(change.account, was), lists(change.account, change.list)];
    const isAccepted = to && accepted.some((one) => equalBytes(one, to.identity));
    if (!isAccepted || (from && equalBytes(from.identity, own.chain.identity)))
      throw new Refusal('rights', 'an identity of this account that it does not have');
  }
}

/** Returns the account whose device signed something although its removal was known. */
function removedSignerOf({ account, device, changes }: Header, known: ListsOf): Bytes | null {
  const signers = [
    { account, device },
    ...changes.flatMap(({ evidence }) => (evidence?.by === 'member' ? [evidence] : [])),
  ];
  const removed = signers.find((one) => {
    const { chain } = known(one.account);
    return chain && !findDevice(chain.newest.list, one.device);
  });
  return removed?.account ?? null;
}

/** Opens the secret of an epoch: from what was built here, from boxes, or from the vault. */
async function findSecret(
  { work, state }: Following,
  { id, pending }: Conversation,
  { statement, hash, header, epoch }: Pick<Served, 'statement' | 'hash' | 'header' | 'epoch'>,
): Promise<Bytes | null> {
  if (pending && equalBytes(pending.head.hash, hash)) return pending.secret;
  const opened = await openSecret({ stored: { statement, hash }, boxes: boxesOf(epoch) }, openersOf(work));
  if (opened) return opened;
  const kept = secretInVault(state, id, hash);
  if (!kept) return null;
  try {
    await assertSecretOf(header, kept);
    return kept;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return null;
  }
}

/** Returns true if the own account, with its identity, may have the secret of an epoch. */
function isOwnEpoch({ context, work }: Following, { members }: CheckedEpoch, lists: ListResolver): boolean {
  const list = findMember(members, context.account)?.list;
  const checked = list && lists(context.account, list);
  return (
    checked !== null && checked !== undefined && equalBytes(checked.identity, requireJoined(work).own.chain.identity)
  );
}

async function toEpoch(
  following: Following,
  conversation: Conversation,
  checked: CheckedEpoch,
  served: Served,
  { lists, known }: { lists: ListResolver; known: ListsOf | null },
): Promise<ConversationEpoch> {
  const { seq, changeSeq, at } = served.epoch;
  const { pending } = conversation;
  const { context } = following;
  const before = newestOf(conversation)?.place;
  if (
    seq === null ||
    changeSeq === null ||
    at === null ||
    (before && (seq < before.seq || changeSeq < before.changeSeq))
  )
    throw new Refusal('order', 'an epoch without a place');
  return {
    n: checked.header.n,
    hash: checked.hash,
    statement: served.statement,
    roster: encodeRoster(checked.members),
    devices: rosterDevices(checked.members, lists),
    place: { seq, changeSeq, at: Date.parse(at) },
    secret: await findSecret(following, conversation, served),
    acceptedAt: context.deviceNow(),
    learnedAt: pending && equalBytes(pending.head.hash, checked.hash) ? pending.builtAt : context.now(),
    isOwn: isOwnEpoch(following, checked, lists),
    removedSigner: known && removedSignerOf(checked.header, known),
  };
}

function assertHere({ id, facts }: Pick<Conversation, 'id' | 'facts'>, { header, members }: CheckedEpoch): void {
  if (!equalBytes(header.conversation, id)) throw new Refusal('subject', 'a header of another conversation');
  if (header.kind === 0) throw new Refusal('subject', 'a header of a vault');
  if (!facts) return;
  const isDirect = facts.type === 'direct';
  const isSame = members.every(({ account }) => facts.memberIds.includes(toUuid(account)));
  if (isDirect !== (header.kind === 1) || (isDirect && !isSame))
    throw new Refusal('subject', 'a header of a conversation with other members');
}

/** Follows headers after the known ones. What was in order stays, also if a later one is refused. */
async function followAll(
  following: Following,
  known: Conversation,
  served: readonly Served[],
): Promise<{ conversation: Conversation; refusal: Refusal | null }> {
  const { context, work, reader } = following;
  let conversation = known;
  let rest = served;
  try {
    if (!conversation.head) {
      const start = startFor(context.account, served, conversation.entry);
      if (!start) return { conversation, refusal: null };
      const { head, lists } = await checkStart(following, known, start, served);
      assertHere(known, head);
      const first = await toEpoch(following, conversation, head, start, { lists, known: null });
      conversation = withEpochs({ ...conversation, head }, [first]);
      rest = served.filter(({ header }) => header.n > head.header.n);
    }
    const members = conversation.head?.members ?? [];
    const named = namedLists(
      rest.map(({ header }) => header),
      members,
    );
    const knownLists = known.head
      ? await readLists(
          context,
          work,
          named.map(({ account }) => account),
        )
      : null;
    const lists = rest.length > 0 ? await resolveLists(context, work, reader, named) : () => undefined;
    for (const one of rest) {
      const before = conversation.head;
      if (!before) break;
      const head = await checkNextHeader(before, one.statement, { lists, now: context.now() });
      assertHere(known, head);
      assertOwnIdentity(following, before, head.header, lists);
      const epoch = await toEpoch(following, conversation, head, one, { lists, known: knownLists });
      conversation = withEpochs({ ...conversation, head }, [epoch]);
    }
    return { conversation, refusal: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { conversation: known.head || isProven(context, conversation) ? conversation : known, refusal: error };
  }
}

/** Returns true if the header that checking began with is header 0, or the evidence of the own entry was checked. */
const isProven = ({ account }: KeyContext, { epochs }: Conversation): boolean =>
  epochs[0]?.n === 0 ||
  epochs
    .slice(1)
    .some((epoch) =>
      headerOf(epoch).changes.some(({ type, account: of }) => type === changeTypes.add && equalBytes(of, account)),
    );

/** Opens secrets of known epochs that the server shows again, perhaps with an answer. */
async function openKnown(
  following: Following,
  conversation: Conversation,
  served: readonly Served[],
): Promise<Conversation> {
  const opened: ConversationEpoch[] = [];
  for (const epoch of conversation.epochs) {
    const again = served.find(({ hash }) => equalBytes(hash, epoch.hash));
    // A box that the server still has brings no secret back whose time is over.
    if (epoch.secret || isExpired(epoch, following.context.deviceNow())) continue;
    const shown = again ?? {
      statement: epoch.statement,
      hash: epoch.hash,
      header: headerOf(epoch),
      epoch: { box: null, answer: null, recoveryBox: null } as Epoch,
    };
    const secret = await findSecret(following, conversation, shown);
    if (secret) opened.push({ ...epoch, secret });
  }
  return opened.length === 0 ? conversation : withEpochs(conversation, opened);
}

/** Sends epochs again to a server that lost them (section 9). A refusal ends it. */
async function resendLost({ context, work }: Following, known: Conversation, newest: number): Promise<void> {
  const lists = await readLists(
    context,
    work,
    (known.head?.members ?? []).map(({ account }) => account),
  );
  try {
    for (const epoch of known.epochs.filter(({ n }) => n > newest)) {
      const body = await rebuildEpoch(context, lists, epoch);
      await context.call(routes.commitEpoch, { params: { id: toUuid(known.id) }, body });
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing) throw error;
  }
}

/** Ends forks that the rules decide, and stops sending while one is left. */
async function settle({ context, work, reader }: Following, conversation: Conversation): Promise<Conversation> {
  const { epochs, others, forks } = conversation;
  if (forks.length === 0) return conversation;
  const members = [...epochs, ...others].flatMap(membersOf);
  const settled = settleForks(conversation, await resolveLists(context, work, reader, members));
  return settled.forks.length > 0 ? { ...settled, block: 'fork' } : settled;
}

const blockOf = ({ code }: Refusal): ConversationBlock => (code === 'version' ? 'version' : 'refused');

/** Follows the branch that the server shows in the place of the known one. */
async function followOther(following: Following, known: Conversation): Promise<Conversation> {
  const first = known.epochs[0];
  if (!first) return known;
  const served = await fetchServed(following.context, known.id, first.n);
  const other = served.find(({ header, hash }) => {
    const same = known.epochs.find(({ n }) => n === header.n);
    return same && !equalBytes(same.hash, hash);
  });
  if (!other) {
    await resendLost(following, known, served.at(-1)?.header.n ?? first.n - 1);
    return { ...known, block: 'old', shown: null };
  }
  const common = known.epochs.filter(({ n }) => n < other.header.n);
  const base = { ...known, head: checkedAt(known, other.header.n - 1), epochs: common };
  const rest = served.filter(({ header }) => header.n >= other.header.n);
  const { conversation: branch, refusal } = await followAll(following, base, rest);
  if (branch.epochs.length === common.length)
    return { ...known, block: refusal ? blockOf(refusal) : 'refused', shown: null };
  const block = refusal && blockOf(refusal);
  return settle(following, { ...withBranch(known, branch.epochs), block });
}

/** Forgets the built epoch once another one has its number. */
function settlePending(conversation: Conversation): Conversation {
  const { pending, head } = conversation;
  if (!pending || !head || pending.head.header.n > head.header.n) return conversation;
  return { ...conversation, pending: null };
}

/** Values that store a conversation, and the records of it that the vault lacks. */
export async function storeConversation(
  { context, work, state }: Pick<Following, 'context' | 'work' | 'state'>,
  before: Conversation,
  after: Conversation,
): Promise<void> {
  const { vault } = requireJoined(work);
  const records = newRecords(state, after);
  const queued = records.length > 0 ? await toQueued(context, vault.id, records) : {};
  if (after !== before || records.length > 0)
    await context.store.write({ ...queued, ...toConversationValues(before, after) });
}

/** Epoch from which the server is asked: the newest known one, or an older one whose secret was asked for. */
function fromOf({ epochs, asked }: Conversation): number {
  const missing = epochs.find(({ n, secret }) => !secret && asked[n] !== undefined);
  return Math.min(missing?.n ?? Infinity, epochs.at(-1)?.n ?? 0);
}

/**
 * Fetches and checks the headers of a conversation, opens their secrets, and stores both, also as records of the vault.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function syncConversation(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  known: Conversation,
): Promise<Conversation> {
  const state = await readDecisions(context, work, reader);
  const following = { context, work, reader, state };
  let conversation = dropExpired(known, context.deviceNow());
  try {
    conversation = await followServed(following, conversation);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    conversation = { ...conversation, block: blockOf(error) };
  }
  if (conversation.block !== 'ended' && hasTwoBeginnings(conversation))
    conversation = { ...conversation, block: 'ended' };
  conversation = withSeen(state, conversation);
  await storeConversation(following, known, conversation);
  return conversation;
}

/** Returns the conversation with what the vault says of headers. */
function withSeen(state: VaultState, conversation: Conversation): Conversation {
  const newer = findNewerHeader(state, conversation);
  const isSeen = conversation.isSeen || conversation.head !== null || newer !== null;
  const isSame = isSeen === conversation.isSeen && (newer === null) === (conversation.newer === null);
  if (isSame && (!newer || (conversation.newer && equalBytes(newer.hash, conversation.newer.hash))))
    return conversation;
  return { ...conversation, newer, isSeen };
}

async function followServed(following: Following, known: Conversation): Promise<Conversation> {
  const served = await fetchServed(following.context, known.id, fromOf(known));
  const newest = newestOf(known);
  const shown = newest && served.find(({ header }) => header.n === newest.n);
  if (newest && (!shown || !equalBytes(shown.hash, newest.hash))) return followOther(following, known);
  const further = served.filter(({ header }) => header.n > (newest?.n ?? -1));
  const followed = await followAll(following, known, further);
  const opened = settlePending(await openKnown(following, followed.conversation, served));
  const block = followed.refusal && blockOf(followed.refusal);
  const tip = newestOf(opened)?.hash ?? null;
  const isSame =
    opened.block === block && (tip === opened.shown || (tip && opened.shown && equalBytes(tip, opened.shown)));
  return settle(following, isSame ? opened : { ...opened, block, shown: tip });
}
