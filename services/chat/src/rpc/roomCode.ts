import type { ConversationId, UserId } from '@nolo/kit/ids';
import { guardedDoors, looksLikeRoomCode, newRoomCode, normalizeRoomCode, roomCodeMisses } from '@nolo/rules';
import { holdsInvite, type Standing } from '../domain/group.ts';
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

interface Who {
  readonly actorId: UserId;
  readonly address: string;
  readonly inviteToken?: string | undefined;
}
type Needs = Pick<Dependencies, 'groups' | 'limiter' | 'clock'>;

/**
 * The group that a code opens, and whether codes are being guessed: then the code alone lets nobody in, and shows the group
 * (`shown`) to those only who know it already. Members and invite tokens come before any counter (decision 40).
 */
async function resolve({ groups, limiter, clock }: Needs, typed: string, who: Who) {
  const code = normalizeRoomCode(typed);
  const now = clock.now();
  const id = looksLikeRoomCode(code) ? await groups.findByCode(code) : undefined;
  const found = id && (await groups.look(id, who.actorId));
  const expiresAt = found?.meta.group?.codeExpiresAt;
  const isMember = found && found.standing.role !== null;
  const leadsThere = found && (isMember || !expiresAt || expiresAt > now);
  const named = leadsThere ? { id: id as ConversationId, code, ...found } : undefined;
  if (named && (isMember || holdsInvite(named, who.inviteToken, now))) {
    return { code, named, guarded: false, shown: true };
  }
  const spent = await Promise.all(roomCodeMisses(who).map(([name, key]) => limiter.isSpent(name, key)));
  const guarded = spent.includes(true);
  return { code, named, guarded, shown: !guarded || (named !== undefined && isKnown(named.standing)) };
}

/** Whether somebody outside knows of a group by more than its code. */
const isKnown = ({ waiting, banned, invitation }: Standing): boolean => waiting || banned || invitation !== null;

/** A code that leads to nothing, or may not show where. @throws rate_limited, conversation_not_found */
async function miss({ limiter }: Pick<Needs, 'limiter'>, who: Who): Promise<never> {
  for (const [name, key] of roomCodeMisses(who)) await limiter.consume(name, key);
  throw conversationNotFound();
}

/**
 * The group of a code for somebody who wants in. A code that leads to nothing is counted, so that codes cannot be guessed
 * (decision 9). Where the counters are spent a right one is `guarded` and leads to the queue of those who ask (decision 40);
 * so many may be tried meanwhile, right or wrong.
 *
 * @throws conversation_not_found, rate_limited.
 */
export async function groupAtDoor(needs: Needs, typed: string, who: Who) {
  const { named, guarded, shown } = await resolve(needs, typed, who);
  if (!shown) for (const [name, key] of guardedDoors(who)) await needs.limiter.consume(name, key);
  return named ? { ...named, guarded } : miss(needs, who);
}

/** The same for somebody who looks: only the code, whatever it leads to, where the counters are spent. */
export async function groupByCode(needs: Needs, typed: string, who: Who) {
  const { code, named, guarded, shown } = await resolve(needs, typed, who);
  if (!shown && looksLikeRoomCode(code)) return { code, shown: false as const };
  return named ? { ...named, guarded, shown: true as const } : miss(needs, who);
}
