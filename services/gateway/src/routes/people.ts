import type { User } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Edge } from '../edge.ts';
import { toUser } from './mapPeople.ts';

/** As many as identity answers about in one call. */
const usersPerCall = 200;

/** How people look to the viewer; who is gone is left out. */
export async function findPeople(
  edge: Pick<Edge, 'identity'>,
  viewerId: string,
  wanted: Iterable<string>,
  rpc: RpcCallOptions,
): Promise<Map<string, User>> {
  const all = [...new Set(wanted)];
  const parts: string[][] = [];
  for (let start = 0; start < all.length; start += usersPerCall) parts.push(all.slice(start, start + usersPerCall));
  const replies = await Promise.all(
    parts.map((userIds) => edge.identity.getUsers({ actorId: viewerId, userIds }, rpc)),
  );
  return new Map(replies.flatMap(({ users }) => users.map((user) => [user.id, toUser(user)])));
}
