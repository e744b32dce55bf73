import { equalBytes, type Bytes } from './bytes.ts';
import { changeTypes, type Header } from './headers.ts';
import { findDevice, recoverySigner, type CheckedList } from './lists.ts';

/** Forks of a chain of device lists (docs/encryption.md, section 3), and of the vault's headers (section 4). */

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
