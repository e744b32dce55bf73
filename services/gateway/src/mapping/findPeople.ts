import type { User } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { PeopleChoices } from '@nolo/proto/admission';
import type { User as UserRow } from '@nolo/proto/people';
import type { Clients } from '../clients.ts';
import { toUser } from './people.ts';

/** Maximum users per call to identity. */
const usersPerCall = 200;

async function findRows(
  context: Pick<Clients, 'identity'>,
  viewerId: string,
  wanted: Iterable<string>,
  rpc: RpcCallOptions,
): Promise<UserRow[]> {
  const all = [...new Set(wanted)];
  const batches: string[][] = [];
  for (let start = 0; start < all.length; start += usersPerCall) batches.push(all.slice(start, start + usersPerCall));
  const replies = await Promise.all(
    batches.map((userIds) => context.identity.getUsers({ actorId: viewerId, userIds }, rpc)),
  );
  return replies.flatMap(({ users }) => users);
}

/** Returns people as the viewer sees them. Omits accounts that are gone. */
export async function findPeople(
  context: Pick<Clients, 'identity'>,
  viewerId: string,
  wanted: Iterable<string>,
  rpc: RpcCallOptions,
): Promise<Map<string, User>> {
  const rows = await findRows(context, viewerId, wanted, rpc);
  return new Map(rows.map((row) => [row.id, toUser(row)]));
}

/**
 * Returns people with their preference for who may add them to groups. Internal to chat's decision, never sent to
 * clients.
 */
export async function findPeopleWithGroupPrivacy(
  context: Pick<Clients, 'identity'>,
  actorId: string,
  wanted: Iterable<string>,
  rpc: RpcCallOptions,
): Promise<{ people: Map<string, User>; choices: PeopleChoices }> {
  const rows = await findRows(context, actorId, wanted, rpc);
  const choices = rows.map(({ id: userId, groupsFrom, knowsViewer: isContact }) => ({ userId, groupsFrom, isContact }));
  return { people: new Map(rows.map((row) => [row.id, toUser(row)])), choices: { people: choices } };
}
