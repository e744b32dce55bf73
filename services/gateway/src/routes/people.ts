import type { User } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { PeopleChoices } from '@nolo/proto/admission';
import type { User as UserRow } from '@nolo/proto/people';
import type { Edge } from '../edge.ts';
import { toUser } from './mapPeople.ts';

/** As many as identity answers about in one call. */
const usersPerCall = 200;

async function findRows(
  edge: Pick<Edge, 'identity'>,
  viewerId: string,
  wanted: Iterable<string>,
  rpc: RpcCallOptions,
): Promise<UserRow[]> {
  const all = [...new Set(wanted)];
  const parts: string[][] = [];
  for (let start = 0; start < all.length; start += usersPerCall) parts.push(all.slice(start, start + usersPerCall));
  const replies = await Promise.all(
    parts.map((userIds) => edge.identity.getUsers({ actorId: viewerId, userIds }, rpc)),
  );
  return replies.flatMap(({ users }) => users);
}

/** How people look to the viewer; who is gone is left out. */
export async function findPeople(
  edge: Pick<Edge, 'identity'>,
  viewerId: string,
  wanted: Iterable<string>,
  rpc: RpcCallOptions,
): Promise<Map<string, User>> {
  const rows = await findRows(edge, viewerId, wanted, rpc);
  return new Map(rows.map((row) => [row.id, toUser(row)]));
}

/** The same, with what they chose of who adds them to groups: for chat to decide by, and for nobody to see. */
export async function findToAdd(
  edge: Pick<Edge, 'identity'>,
  actorId: string,
  wanted: Iterable<string>,
  rpc: RpcCallOptions,
): Promise<{ people: Map<string, User>; choices: PeopleChoices }> {
  const rows = await findRows(edge, actorId, wanted, rpc);
  const choices = rows.map(({ id: userId, groupsFrom, knowsViewer: isContact }) => ({ userId, groupsFrom, isContact }));
  return { people: new Map(rows.map((row) => [row.id, toUser(row)])), choices: { people: choices } };
}
