import { equalBytes, type Bytes } from './bytes.ts';
import { changeTypes, type Header, type Member } from './headers.ts';
import { findDevice, recoverySigner, type CheckedList } from './lists.ts';
import { findMember, isSameIdentity, type ListResolver } from './rosters.ts';

/** Forks of a chain of device lists (docs/encryption.md, section 3), and of headers (section 4). */

/** Lists after the last common one, in order; the first of both branches have the same number. */
export type Branch = readonly CheckedList[];

/**
 * Returns true if a branch removes the author of the other one's first list: by the recovery key, or by a device that
 * the other branch keeps.
 */
function removesAuthor(branch: Branch, common: CheckedList, other: Branch): boolean {
  const author = other[0]?.list.signer;
  if (!author || equalBytes(author, recoverySigner)) return false;
  let before = common;
  let isRemoved = false;
  for (const checked of branch) {
    const { signer } = checked.list;
    const hasIt = findDevice(checked.list, author) !== undefined;
    if (hasIt && isRemoved) return false;
    const isByOther =
      equalBytes(signer, recoverySigner) ||
      (!equalBytes(signer, author) && other.every(({ list }) => findDevice(list, signer) !== undefined));
    if (!hasIt && findDevice(before.list, author) && isByOther) isRemoved = true;
    before = checked;
  }
  return isRemoved;
}

/**
 * Decides a fork. Judge anew with each further list of a branch.
 *
 * @param common the last list of both branches
 * @returns the branch that counts, or `fork` while neither does
 */
export function judgeFork(common: CheckedList, first: Branch, second: Branch): 'first' | 'second' | 'fork' {
  const [a, b] = [first[0]?.list.signer, second[0]?.list.signer];
  if (!a || !b || equalBytes(a, b)) return 'fork';
  const [winsFirst, winsSecond] = [removesAuthor(first, common, second), removesAuthor(second, common, first)];
  if (winsFirst === winsSecond) return 'fork';
  return winsFirst ? 'first' : 'second';
}

/** Header as a branch of a conversation has it. */
export interface BranchHeader {
  readonly hash: Bytes;
  readonly header: Pick<Header, 'n' | 'changes'>;
}

export type HeaderForkVerdict =
  /** A change 8 of this branch names the other one. */
  | { readonly verdict: 'first' | 'second' }
  /** Never ends, because it began at header 0. */
  | { readonly verdict: 'final' }
  /** A change 8 on one branch must name the header of the other. */
  | { readonly verdict: 'fork'; readonly first: Bytes; readonly second: Bytes };

/** Returns the index of the header after `from` that resolves the fork with `other`, or -1. */
const resolverAfter = (branch: readonly BranchHeader[], from: number, other: Bytes): number =>
  branch.findIndex(
    ({ header }, at) =>
      at > from &&
      header.changes.some((change) => change.type === changeTypes.resolve && equalBytes(change.other, other)),
  );

/**
 * Decides a fork of headers by changes of type 8 alone, as in the vault (section 4). If both branches name each other,
 * the two headers that do are a new fork.
 *
 * @param first headers after the last common one, in order, each of which was checked
 * @param second those of the other branch
 */
export function judgeHeaderFork(first: readonly BranchHeader[], second: readonly BranchHeader[]): HeaderForkVerdict {
  let [a, b] = [0, 0];
  for (;;) {
    const [one, other] = [first[a], second[b]];
    if (!one || !other || one.header.n === 0) return { verdict: 'final' };
    const [nextA, nextB] = [resolverAfter(first, a, other.hash), resolverAfter(second, b, one.hash)];
    if (nextA === -1 && nextB === -1) return { verdict: 'fork', first: one.hash, second: other.hash };
    if (nextB === -1) return { verdict: 'first' };
    if (nextA === -1) return { verdict: 'second' };
    [a, b] = [nextA, nextB];
  }
}

/** Header of a conversation with its members. */
export interface BranchEpoch {
  readonly hash: Bytes;
  readonly header: Header;
  readonly members: readonly Member[];
}

/** Fork of a conversation's headers. The epochs of both branches stand after the last common one, in order. */
export interface ConversationFork {
  readonly common: BranchEpoch;
  readonly first: readonly BranchEpoch[];
  readonly second: readonly BranchEpoch[];
  readonly lists: ListResolver;
}

type Sides = Omit<ConversationFork, 'first' | 'second'> & {
  readonly branch: readonly BranchEpoch[];
  readonly other: readonly BranchEpoch[];
};

/** Returns true if an account has the same identity in all of these, and may end forks there. */
function standsInAll(account: Bytes, epochs: readonly BranchEpoch[], lists: ListResolver): boolean {
  const found = epochs.map(({ header, members }) => {
    const member = findMember(members, account);
    const isAllowed = member?.list && (member.role === 2 || header.kind === 1);
    return isAllowed ? lists(account, member.list) : undefined;
  });
  const [first] = found;
  return first !== undefined && found.every((one) => one !== undefined && isSameIdentity(first, one));
}

/**
 * Returns true if an account may end a fork by a change 8: an owner, or either account of a direct conversation, in the
 * last common header and in both branches.
 */
export const mayEndFork = (account: Bytes, { common, first, second, lists }: ConversationFork): boolean =>
  standsInAll(account, [common, first.at(-1) ?? common, second.at(-1) ?? common], lists);

/** Returns the accounts of the last common header that a branch has no longer. */
export const removedIn = ({ members }: BranchEpoch, branch: readonly BranchEpoch[]): Bytes[] =>
  members
    .filter(({ account }) => !findMember(branch.at(-1)?.members ?? members, account))
    .map(({ account }) => account);

/** Returns the headers of a branch with only those changes 8 that count. */
function countingIn({ branch, common, other, lists }: Sides): BranchHeader[] {
  const newest = other.at(-1) ?? common;
  const removed = removedIn(common, other);
  return branch.map((epoch) => {
    const changes = epoch.header.changes.filter(
      ({ evidence }) =>
        evidence?.by === 'member' &&
        standsInAll(evidence.account, [common, epoch, newest], lists) &&
        removed.every((account) => !findMember(epoch.members, account)),
    );
    return { hash: epoch.hash, header: { n: epoch.header.n, changes } };
  });
}

/** Returns true if a branch removes an account by an owner whom neither branch removes or demotes. */
function removesAccount(account: Bytes, { branch, common, other, lists }: Sides): boolean {
  if (findMember((branch.at(-1) ?? common).members, account)) return false;
  return branch.some(({ header }) =>
    header.changes.some(
      ({ type, account: removed, evidence }) =>
        type === changeTypes.remove &&
        equalBytes(removed, account) &&
        evidence?.by === 'member' &&
        standsInAll(evidence.account, [common, ...branch, ...other], lists),
    ),
  );
}

/** Returns true if a branch names a list that removes a device, and the other one neither that list nor a later one. */
function removesDevice(account: Bytes, device: Bytes, { branch, common, other, lists }: Sides): boolean {
  const listIn = ({ members }: BranchEpoch): CheckedList | undefined => {
    const named = findMember(members, account)?.list;
    return named ? lists(account, named) : undefined;
  };
  const before = listIn(common);
  if (!before || !findDevice(before.list, device)) return false;
  const removal = branch.map(listIn).find((one) => one && !findDevice(one.list, device));
  const newest = listIn(branch.at(-1) ?? common);
  if (!removal || !newest || !isSameIdentity(before, removal) || findDevice(newest.list, device)) return false;
  return other.map(listIn).every((one) => one !== undefined && one.list.n < removal.list.n);
}

/** Returns true if a branch removes the author of the other one's first header. */
function removesCommitter(sides: Sides): boolean {
  const author = sides.other[0]?.header;
  return (
    author !== undefined &&
    (removesAccount(author.account, sides) || removesDevice(author.account, author.device, sides))
  );
}

/**
 * Decides a fork of a conversation's headers (section 4): by a change 8 that counts, otherwise by the removal of the
 * author of one branch. Judge anew with each further header.
 *
 * @returns the branch that counts, and whether that is by a removal; `fork` while neither counts
 */
export function judgeConversationFork(fork: ConversationFork): HeaderForkVerdict & { readonly isByRemoval?: boolean } {
  const { first, second, ...both } = fork;
  const sides = [
    { ...both, branch: first, other: second },
    { ...both, branch: second, other: first },
  ] as const;
  const verdict = judgeHeaderFork(countingIn(sides[0]), countingIn(sides[1]));
  const [a, b] = [first[0]?.header, second[0]?.header];
  if (verdict.verdict !== 'fork' || !a || !b || equalBytes(a.device, b.device)) return verdict;
  const [winsFirst, winsSecond] = [removesCommitter(sides[0]), removesCommitter(sides[1])];
  if (winsFirst === winsSecond) return verdict;
  return { verdict: winsFirst ? 'first' : 'second', isByRemoval: true };
}
