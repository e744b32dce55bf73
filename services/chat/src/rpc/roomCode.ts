import type { ConversationId, UserId } from '@nolo/kit/ids';
import { looksLikeRoomCode, newRoomCode, normalizeRoomCode, roomCodeMisses } from '@nolo/rules';
import { holdsInvite } from '../domain/group.ts';
import { conversationNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

/** Of 443 million codes hardly one is taken; more tries than this mean that something else is wrong. */
const mostTries = 8;

function isTaken(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '23505';
}

/** Does something with a new code, and again with another one where the first is taken. */
export async function withFreeCode<T>(attempt: (code: string) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(newRoomCode('group'));
    } catch (error) {
      if (!isTaken(error) || tries >= mostTries) throw error;
    }
  }
}

/**
 * The group that a code opens. A code that leads to nothing is counted, so that codes cannot be guessed (decision 9).
 * Nobody is refused with one that is right: where the counters are spent the answer is `guarded`, and the code leads to
 * the queue of those who ask; an invite token is looked at before any of them (decision 40).
 *
 * @throws conversation_not_found, rate_limited.
 */
export async function groupByCode(
  { groups, limiter, clock }: Pick<Dependencies, 'groups' | 'limiter' | 'clock'>,
  typed: string,
  who: { actorId: UserId; address: string; inviteToken?: string | undefined },
) {
  const code = normalizeRoomCode(typed);
  const now = clock.now();
  const id = looksLikeRoomCode(code) ? await groups.findByCode(code) : undefined;
  const found = id && (await groups.look(id, who.actorId));
  if (id && found && found.standing.role !== null) return { id, code, ...found, guarded: false };
  const expiresAt = found?.meta.group?.codeExpiresAt;
  if (!id || !found || (expiresAt && expiresAt <= now)) {
    for (const [name, key] of roomCodeMisses(who)) await limiter.consume(name, key);
    throw conversationNotFound();
  }
  const isInvited = holdsInvite(found, who.inviteToken, now);
  const spent = isInvited
    ? []
    : await Promise.all(roomCodeMisses(who).map(([name, key]) => limiter.isSpent(name, key)));
  return { id: id as ConversationId, code, ...found, guarded: spent.includes(true) };
}
