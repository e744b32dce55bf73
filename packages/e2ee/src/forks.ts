import { equalBytes } from './bytes.ts';
import { findDevice, recoverySigner, type CheckedList } from './lists.ts';

/** Forks of a chain of device lists (docs/encryption.md, section 3). */

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
