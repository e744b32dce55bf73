import type { ConversationId, UserId } from '@nolo/kit/ids';
import { looksLikeRoomCode, newRoomCode, normalizeRoomCode } from '@nolo/rules';
import { conversationNotFound, failChat } from '../../errors.ts';
import type { Dependencies } from '../dependencies.ts';

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

const guessed = () =>
  failChat('rate_limited', 'rate_limited', 'Too many codes were tried. Try again later.', undefined, {
    retryAfterMs: 60_000,
  });

/**
 * The group that a code opens. Whoever is not in it spends an attempt of their account and address, right or wrong, so
 * that codes cannot be guessed (decision 9).
 *
 * @throws conversation_not_found, rate_limited.
 */
export async function groupByCode(
  { groups, limiter, guessing, clock }: Pick<Dependencies, 'groups' | 'limiter' | 'guessing' | 'clock'>,
  typed: string,
  who: { actorId: UserId; address: string },
) {
  const code = normalizeRoomCode(typed);
  const id = looksLikeRoomCode(code) ? await groups.findByCode(code) : undefined;
  const found = id && (await groups.look(id, who.actorId));
  if (id && found && found.standing.role !== null) return { id, code, ...found };
  await limiter.consume('roomCodeTriesPerUser', who.actorId);
  if (who.address !== '') await limiter.consume('roomCodeTriesPerAddress', who.address);
  if (await guessing.isUnderWay()) throw guessed();
  const expiresAt = found?.meta.group?.codeExpiresAt;
  if (!id || !found || (expiresAt && expiresAt <= clock.now())) {
    await guessing.missed();
    throw conversationNotFound();
  }
  return { id: id as ConversationId, code, ...found };
}
