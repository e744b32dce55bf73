import { isAppError } from '@nolo/kit/errors';
import { parseActorId, type UserId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { IdentityServiceDefinition } from '@nolo/proto/identity';
import { limits } from '@nolo/rules';
import { parseSearch, type SearchPlan } from '../domain/search.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toUser } from './replies.ts';
import { readIds, readUserId } from './requests.ts';

const maxIdsPerCall = 200;

export function getUsers({ viewPeople }: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.getUsers> {
  return async (request) => {
    const actor = parseActorId(request.actorId);
    const people = await viewPeople(actor, readIds<UserId>(request.userIds, maxIdsPerCall));
    return { users: [...people.values()].map(toUser) };
  };
}

const defaultPageSize = 20;
const maxSearchResults = 50;

type SearchCounting = Pick<Dependencies, 'limiter' | 'lookups'>;
type ExactPlan = Omit<SearchPlan, 'name'>;

/** @throws AppError search_limited */
async function orSearchLimited<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
    const options = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs };
    throw createIdentityError(
      'rate_limited',
      'search_limited',
      'Too many searches. Try again later.',
      undefined,
      options,
    );
  }
}

async function countSearch(limiter: Dependencies['limiter'], actor: UserId): Promise<void> {
  await limiter.consume('searchesPerUserMinute', actor);
  await limiter.consume('searchesPerUserDay', actor);
}

/** Limits exact lookups, because trying numbers and addresses one by one would reveal who is registered. */
async function countExact(
  { limiter, lookups }: SearchCounting,
  actor: UserId,
  address: string | undefined,
  { phoneNumber, email, username }: ExactPlan,
): Promise<void> {
  // Most prefixes of usernames and email addresses could be complete ones, and searches run while the user types.
  const typed = username === undefined ? email : `@${username}`;
  if (typed !== undefined && (await lookups.goesOn(actor, typed))) return;
  if (username === undefined) {
    if ((phoneNumber ?? email) === undefined) return;
    await limiter.consume('exactLookupsPerUserDay', actor);
    if (address) await limiter.consume('exactLookupsPerAddress', address);
  } else await limiter.consume('usernameLookupsPerUserDay', actor);
  if (typed !== undefined) await lookups.begin(actor, typed);
}

/**
 * Counts a search for a specific person.
 *
 * @throws AppError search_limited
 */
export async function consumeLookupLimits(
  dependencies: SearchCounting,
  actor: UserId,
  address: string | undefined,
  plan: ExactPlan,
): Promise<void> {
  await orSearchLimited(countSearch(dependencies.limiter, actor));
  await orSearchLimited(countExact(dependencies, actor, address, plan));
}

/** Returns who has the typed number, email address, or username. */
async function findExact(
  { people, usernames }: Dependencies,
  actor: UserId,
  { phoneNumber, email, username }: ExactPlan,
  limit: number,
): Promise<UserId[]> {
  if (username !== undefined) {
    const owner = await usernames.ownerOf(username);
    return owner && owner !== actor ? [owner] : [];
  }
  if (phoneNumber !== undefined) return people.withPhoneNumber(actor, phoneNumber);
  return email === undefined ? [] : people.withEmail(actor, email, limit);
}

/** @throws AppError search_limited if exact lookups are used up and nobody else was found */
async function find(
  dependencies: Dependencies,
  actor: UserId,
  address: string | undefined,
  plan: SearchPlan,
  limit: number,
): Promise<UserId[]> {
  const { people } = dependencies;
  const lookUp = async () => {
    await orSearchLimited(countExact(dependencies, actor, address, plan));
    return findExact(dependencies, actor, plan, limit);
  };
  // Returns only the owner: someone who uses a name with a leading @ would be mistaken for them.
  if (plan.username !== undefined) return lookUp();
  const [contacts, [exact], discoverable] = await Promise.all([
    people.contactsNamed(actor, plan.name, limit),
    Promise.allSettled([lookUp()]),
    people.discoverableNamed(actor, plan.name, limit),
  ]);
  const named = [...contacts, ...discoverable];
  if (exact.status === 'fulfilled') return [...new Set([...contacts, ...exact.value, ...discoverable])];
  // An empty result would imply that nobody has the number.
  if (named.length === 0 || !isAppError(exact.reason) || exact.reason.kind !== 'rate_limited') throw exact.reason;
  return [...new Set(named)];
}

export function searchUsers(
  dependencies: Dependencies,
): RpcHandler<typeof IdentityServiceDefinition.methods.searchUsers> {
  return async (request) => {
    const actor = parseActorId(request.actorId);
    const plan = parseSearch(request.query, limits.searchQueryLength);
    if (!plan) return { users: [] };
    await orSearchLimited(countSearch(dependencies.limiter, actor));

    const limit = clampPageSize(request.limit, defaultPageSize, maxSearchResults);
    const found = await find(dependencies, actor, request.address, plan, limit);
    const views = await dependencies.viewPeople(actor, found);
    const users = found.flatMap((id) => views.get(id) ?? []);
    // A person found by number or address may also be a contact, under any name.
    users.sort((a, b) => Number(b.isContact) - Number(a.isContact));
    return { users: users.slice(0, limit).map(toUser) };
  };
}

export function reportConnection({
  presenceBroadcaster,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.reportConnection> {
  return async (request) => {
    const userId = readUserId(request.userId);
    await (request.connected ? presenceBroadcaster.arrived(userId) : presenceBroadcaster.left(userId));
    return {};
  };
}
