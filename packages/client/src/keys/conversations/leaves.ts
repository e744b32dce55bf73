import { changeTypes, equalBytes, findMember, type Change, type CheckedEpoch, type ListResolver } from '@nolo/e2ee';
import { hasEvidence, readSignedChange } from './additions.ts';
import type { PendingEpoch } from './conversation.ts';
import { nameOf } from '../wire.ts';

/** Signed leaves that wait for the next header (docs/encryption.md, section 4, Changes). */

export type Leave = Extract<Change, { readonly type: 2 }>;

/** Returns true if a leave names the last rows of all devices that its account has in the newest header. */
function namesAllDevices({ members }: CheckedEpoch, { account, lastRows }: Leave): boolean {
  const named = new Set(lastRows.map(({ device }) => nameOf(device)));
  return findMember(members, account)?.devices.every((device) => named.has(nameOf(device))) === true;
}

/**
 * Returns the leaves that the header after the newest one can contain. It removes everyone else who left, because the
 * server says so.
 */
export async function leavesIn(
  head: CheckedEpoch,
  leaves: readonly string[],
  options: { readonly lists: ListResolver; readonly now: number },
): Promise<Leave[]> {
  const found: Leave[] = [];
  for (const one of leaves.flatMap(readSignedChange)) {
    if (one.type !== changeTypes.leave || !namesAllDevices(head, one)) continue;
    if (await hasEvidence(head, one, options)) found.push(one);
  }
  return found;
}

/** Returns leaves of accounts that no refused epoch took out: the server may lack the rows that a leave names. */
export function withoutRefused(leaves: readonly Leave[], refused: PendingEpoch | null): readonly Leave[] {
  const tried = (refused?.head.header.changes ?? []).filter(({ type }) => type === 1 || type === 2);
  return leaves.filter(({ account }) => !tried.some((one) => equalBytes(one.account, account)));
}
