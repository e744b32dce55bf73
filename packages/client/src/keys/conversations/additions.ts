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
  type CheckedEpoch,
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

function readAddition(text: string): Addition[] {
  try {
    const change = readChange(fromText(text));
    return change.type === changeTypes.add && change.evidence ? [change] : [];
  } catch (error) {
    if (error instanceof Refusal || error instanceof RangeError) return [];
    throw error;
  }
}

/** Returns true if an addition could be in the header after the newest one. */
async function counts(
  { header, members, history }: CheckedEpoch,
  addition: Addition,
  { lists, at }: Pick<Parameters<typeof assertEvidence>[1], 'lists' | 'at'>,
): Promise<boolean> {
  const { conversation, kind } = header;
  if (addition.list && !lists(addition.account, addition.list)) return false;
  const both = { before: members, after: members };
  try {
    await assertEvidence(addition, { conversation, kind, ...both, settings: header, history, at, lists });
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
    .flatMap(readAddition)
    .filter(({ account }) => wanted.includes(toUuid(account)) && !findMember(head.members, account));
  if (read.length === 0) return [];
  const lists = await resolveLists(context, work, reader, [...head.members, ...read]);
  const found: Addition[] = [];
  for (const one of read) if (await counts(head, one, { lists, at: context.now() })) found.push(one);
  return found;
}

export const findAddition = (additions: readonly Addition[], account: Bytes): Addition | undefined =>
  additions.find((one) => equalBytes(one.account, account));
