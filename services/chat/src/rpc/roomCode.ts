import type { ConversationId, UserId } from '@nolo/kit/ids';
import {
  getGuardedAttemptLimits,
  looksLikeRoomCode,
  newRoomCode,
  normalizeRoomCode,
  roomCodeMisses,
} from '@nolo/rules';
import { isInviteValid, type GroupStanding } from '../domain/group.ts';
import { conversationNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

/** Maximum attempts. Hardly any of the 443 million codes is taken, so more failures have another cause. */
const maxCodeAttempts = 8;

function isTaken(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '23505';
}

/** Runs an attempt with a new code, and retries with another if the code is taken. */
export async function retryWithFreeGroupCode<T>(attempt: (code: string) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(newRoomCode('group'));
    } catch (error) {
      if (!isTaken(error) || tries >= maxCodeAttempts) throw error;
    }
  }
}

interface Who {
  readonly actorId: UserId;
  readonly address: string;
  readonly inviteToken?: string | undefined;
}
type Needs = Pick<Dependencies, 'groups' | 'limiter' | 'clock'>;

/**
 * Resolves a code to its group and returns whether codes are being guessed. In that case, a code alone admits nobody,
 * and only people who already know the group see it (`shown`). Members and invite tokens take precedence over all
 * limits (decision 40).
 */
async function resolve({ groups, limiter, clock }: Needs, typed: string, who: Who) {
  const code = normalizeRoomCode(typed);
  const now = clock.now();
  const id = looksLikeRoomCode(code) ? await groups.findByCode(code) : undefined;
  const found = id && (await groups.findWithStanding(id, who.actorId));
  const expiresAt = found?.meta.group?.codeExpiresAt;
  const isMember = found && found.standing.role !== null;
  const leadsThere = found && (isMember || !expiresAt || expiresAt > now);
  const named = leadsThere ? { id: id as ConversationId, code, ...found } : undefined;
  if (named && (isMember || isInviteValid(named, who.inviteToken, now))) {
    return { code, named, guarded: false, shown: true };
  }
  const spent = await Promise.all(roomCodeMisses(who).map(([name, key]) => limiter.isSpent(name, key)));
  const guarded = spent.includes(true);
  return { code, named, guarded, shown: !guarded || (named !== undefined && isKnown(named.standing)) };
}

/** Returns true if an outsider knows of a group other than by its code. */
const isKnown = ({ waiting, banned, invitation }: GroupStanding): boolean => waiting || banned || invitation !== null;

/** Handles an unknown or hidden code. @throws rate_limited, conversation_not_found */
async function miss({ limiter }: Pick<Needs, 'limiter'>, who: Who): Promise<never> {
  for (const [name, key] of roomCodeMisses(who)) await limiter.consume(name, key);
  throw conversationNotFound();
}

/**
 * Returns the group of a code for a person who wants to join. Unknown codes are counted, so that codes cannot be
 * guessed (decision 9). Once the limits are exhausted, a valid code is `guarded` and leads to the join requests
 * (decision 40); the number of attempts meanwhile is limited, right or wrong.
 *
 * @throws conversation_not_found, rate_limited.
 */
export async function findGroupToJoin(needs: Needs, typed: string, who: Who) {
  const { named, guarded, shown } = await resolve(needs, typed, who);
  if (!shown) for (const [name, key] of getGuardedAttemptLimits(who)) await needs.limiter.consume(name, key);
  return named ? { ...named, guarded } : miss(needs, who);
}

/**
 * Returns the group of a code for a person who views it. Returns only the code, for any code, once the limits are
 * exhausted.
 */
export async function findGroupByCode(needs: Needs, typed: string, who: Who) {
  const { code, named, guarded, shown } = await resolve(needs, typed, who);
  if (!shown && looksLikeRoomCode(code)) return { code, shown: false as const };
  return named ? { ...named, guarded, shown: true as const } : miss(needs, who);
}
