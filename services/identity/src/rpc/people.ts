import { isAppError } from '@nolo/kit/errors';
import { actorFrom, type UserId } from '@nolo/kit/ids';
import { pageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { IdentityServiceService } from '@nolo/proto/identity';
import { limits } from '@nolo/rules';
import { planSearch, type SearchPlan } from '../domain/search.ts';
import { failIdentity } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toUser } from './replies.ts';
import { readIds, readUserId } from './requests.ts';

const mostIds = 200;

export function getUsers({ viewPeople }: Dependencies): RpcHandler<typeof IdentityServiceService.getUsers> {
  return async (request) => {
    const actor = actorFrom(request.actorId);
    const people = await viewPeople(actor, readIds<UserId>(request.userIds, mostIds));
    return { users: [...people.values()].map(toUser) };
  };
}

const usualLimit = 20;
const mostResults = 50;

/** @throws AppError search_limited */
export async function countSearch(
  limiter: Dependencies['limiter'],
  actor: UserId,
  address: string | undefined,
  plan: Omit<SearchPlan, 'name'>,
): Promise<void> {
  try {
    await limiter.consume('searchesPerUserMinute', actor);
    await limiter.consume('searchesPerUserDay', actor);
    // Whole numbers and addresses could be tried out one after the other to learn who is registered.
    if (!(plan.phoneNumber ?? plan.email ?? plan.username)) return;
    await limiter.consume('exactLookupsPerUserDay', actor);
    if (address) await limiter.consume('exactLookupsPerAddress', address);
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
    const options = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs };
    throw failIdentity('rate_limited', 'search_limited', 'Too many searches. Try again later.', undefined, options);
  }
}

async function find(
  { people, usernames }: Dependencies,
  actor: UserId,
  plan: SearchPlan,
  limit: number,
): Promise<UserId[]> {
  if (plan.username) {
    // Nobody else: whoever calls themselves by a name with an @ before it would be taken for its owner.
    const owner = await usernames.ownerOf(plan.username);
    return owner && owner !== actor ? [owner] : [];
  }
  const [contacts, exact, discoverable] = await Promise.all([
    people.contactsNamed(actor, plan.name, limit),
    plan.phoneNumber
      ? people.withPhoneNumber(actor, plan.phoneNumber)
      : plan.email
        ? people.withEmail(actor, plan.email, limit)
        : [],
    people.discoverableNamed(actor, plan.name, limit),
  ]);
  return [...new Set([...contacts, ...exact, ...discoverable])];
}

export function searchUsers(dependencies: Dependencies): RpcHandler<typeof IdentityServiceService.searchUsers> {
  return async (request) => {
    const actor = actorFrom(request.actorId);
    const plan = planSearch(request.query, limits.searchQueryLength);
    if (!plan) return { users: [] };
    await countSearch(dependencies.limiter, actor, request.address, plan);

    const limit = pageSize(request.limit, usualLimit, mostResults);
    const found = await find(dependencies, actor, plan, limit);
    const views = await dependencies.viewPeople(actor, found);
    const users = found.flatMap((id) => views.get(id) ?? []);
    // Someone found by number or address may be a contact too, whatever name they go by.
    users.sort((a, b) => Number(b.isContact) - Number(a.isContact));
    return { users: users.slice(0, limit).map(toUser) };
  };
}

export function reportConnection({
  announcements,
}: Dependencies): RpcHandler<typeof IdentityServiceService.reportConnection> {
  return async (request) => {
    const userId = readUserId(request.userId);
    await (request.connected ? announcements.arrived(userId) : announcements.left(userId));
    return {};
  };
}
