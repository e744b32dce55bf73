import type { UserId } from '@nolo/kit/ids';
import type { GetUsersReply, GetUsersRequest } from '@nolo/proto/people';
import type { RpcDeps } from './deps.ts';
import { toUser } from './replies.ts';
import { readIds, readUserId } from './requests.ts';

const mostIds = 200;

export function getUsers({ viewPeople }: Pick<RpcDeps, 'viewPeople'>) {
  return async (request: GetUsersRequest): Promise<GetUsersReply> => {
    const actor = readUserId(request.actorId);
    const people = await viewPeople(actor, readIds<UserId>(request.userIds, mostIds));
    return { users: [...people.values()].map(toUser) };
  };
}
