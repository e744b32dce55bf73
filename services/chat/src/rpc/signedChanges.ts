import { equalBytes, fromUuid, readChange, Refusal, toUuid, type Bytes, type Change } from '@nolo/e2ee';
import { parseActorId, type UserId } from '@nolo/kit/ids';
import type { LeaveGroupRequest } from '@nolo/proto/groups';
import { limits } from '@nolo/rules';
import { createChatError } from '../errors.ts';
import { readBytes } from './epochRequests.ts';

/**
 * Changes that people sign before an epoch contains them (docs/encryption.md, section 4). Only their form is checked
 * here: whether the evidence counts depends on the next epoch.
 */

/** Runs a reader. Converts its refusal to an error with its reason. */
function reading<T>(code: 'leave_refused' | 'addition_refused', message: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw createChatError('invalid', code, message, { reason: error.code });
  }
}

/**
 * Reads the signed leave of a request.
 *
 * @throws leave_refused if it is malformed, or of another account
 */
export function readLeave({ actorId, leave }: LeaveGroupRequest): Bytes | undefined {
  if (!leave) return undefined;
  return reading('leave_refused', 'This signed leave cannot be stored.', () => {
    const bytes = readBytes(leave, limits.leaveBytes);
    const { type, account, evidence } = readChange(bytes);
    const own = fromUuid(parseActorId(actorId));
    if (type !== 2 || !equalBytes(account, own)) throw new Refusal('subject', 'another change than the own leave');
    if (evidence?.by !== 'member' || !equalBytes(evidence.account, own))
      throw new Refusal('rights', 'a leave that the account did not sign');
    return bytes;
  });
}

const isPlainAddition = (change: Change): boolean => change.type === 0 && change.role === 0;

/**
 * Reads signed additions, by account.
 *
 * @param people whom they may add, each once
 * @throws addition_refused if one is malformed, of somebody else, for another role, or not signed
 */
export function readAdditions(additions: readonly Uint8Array[], people: readonly UserId[]): ReadonlyMap<UserId, Bytes> {
  return reading('addition_refused', 'This signed addition cannot be stored.', () => {
    const read = new Map<UserId, Bytes>();
    for (const one of additions) {
      const bytes = readBytes(one, limits.additionBytes);
      const change = readChange(bytes);
      const userId = toUuid(change.account) as UserId;
      if (!isPlainAddition(change) || !people.includes(userId) || read.has(userId))
        throw new Refusal('subject', 'another change than the addition of one of these people');
      if (!change.evidence) throw new Refusal('rights', 'an addition that nobody signed');
      read.set(userId, bytes);
    }
    return read;
  });
}
