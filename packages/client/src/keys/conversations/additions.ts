import type { EpochTarget } from '@nolo/api';
import {
  assertEvidence,
  changeTypes,
  equalBytes,
  findMember,
  readChange,
  Refusal,
  toUuid,
  type Bytes,
  type Change,
  type CheckedEpoch,
  type ListResolver,
} from '@nolo/e2ee';
import type { KeyContext } from '../context.ts';
import type { VaultReader } from '../vaultState.ts';
import { fromText } from '../wire.ts';
import type { Work } from '../work.ts';
import { resolveLists } from './accountLists.ts';
import type { Addition, Conversation } from './conversation.ts';

/** Members of a group whom no header has yet, and additions that were signed for them (section 4, Changes). */

/** Returns the members of the server whom the newest header does not have. */
export function outsidersOf({ head }: Pick<Conversation, 'head'>, memberIds: readonly string[]): string[] {
  if (!head) return [];
  const present = new Set(head.members.map(({ account }) => toUuid(account)));
  return memberIds.filter((id) => !present.has(id));
}

/** Reads a change with evidence as the server keeps it. Returns none if it is malformed. */
export function readSignedChange(text: string): Change[] {
  try {
    const change = readChange(fromText(text));
    return change.evidence ? [change] : [];
  } catch (error) {
    if (error instanceof Refusal || error instanceof RangeError) return [];
    throw error;
  }
}

/** Returns true if the evidence of a change counts in the header after the newest one. */
export async function hasEvidence(
  { header, members, history }: CheckedEpoch,
  change: Change,
  { lists, now }: { readonly lists: ListResolver; readonly now: number },
): Promise<boolean> {
  const { conversation, kind } = header;
  const both = { before: members, after: members };
  // The next header has this time, too.
  const at = Math.max(now, header.at);
  try {
    await assertEvidence(change, { conversation, kind, ...both, settings: header, history, at, lists });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return false;
  }
}

/**
 * Returns the signed additions of a target that count after the newest header.
 *
 * @throws ApiError if lists are not known and the server cannot be asked
 */
export async function additionsIn(
  { context, work, reader }: { readonly context: KeyContext; readonly work: Work; readonly reader: VaultReader },
  { head }: Pick<Conversation, 'head'>,
  { additions, members }: Pick<EpochTarget, 'additions' | 'members'>,
): Promise<Addition[]> {
  if (!head) return [];
  const wanted = members.map(({ userId }) => userId);
  const read = additions
    .flatMap(readSignedChange)
    .filter((change) => change.type === changeTypes.add)
    .filter(({ account }) => wanted.includes(toUuid(account)) && !findMember(head.members, account));
  if (read.length === 0) return [];
  const lists = await resolveLists(context, work, reader, [...head.members, ...read]);
  const found: Addition[] = [];
  for (const one of read) {
    if (one.list && !lists(one.account, one.list)) continue;
    if (await hasEvidence(head, one, { lists, now: context.now() })) found.push(one);
  }
  return found;
}

export const findAddition = (additions: readonly Addition[], account: Bytes): Addition | undefined =>
  additions.find((one) => equalBytes(one.account, account));
