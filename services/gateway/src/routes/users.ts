import { routes } from '@nolo/api';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import type { Bind, Call } from '../http/bind.ts';
import { toUser } from './mapPeople.ts';
import { announceSelf, composeSelf } from './selfReply.ts';

export function bindUsers(bind: Bind, edge: Edge): void {
  const { identity, chat } = edge;

  bind(routes.getSelf, ({ actor, rpc }) => composeSelf(edge, actor, rpc));

  const search = async ({ actor, query, rpc }: Pick<Call<typeof routes.searchUsers>, 'actor' | 'query' | 'rpc'>) => {
    const { users } = await identity.searchUsers({ actorId: actor.userId, query: query.q, limit: 0 }, rpc);
    return users.map(toUser);
  };
  bind(routes.searchUsers, search);
  bind(routes.searchUsersDebounced, search);

  bind(routes.getUser, async ({ actor, params, rpc }) => {
    const { users } = await identity.getUsers({ actorId: actor.userId, userIds: [params.id] }, rpc);
    const [user] = users;
    if (!user) throw failGateway('not_found', 'user_not_found', 'User not found.');
    return toUser(user);
  });

  bind(routes.updateProfile, async ({ actor, body, rpc }) => {
    const { firstName, lastName, statusMessage, presenceStatus } = body;
    const row = await identity.updateProfile(
      { actorId: actor.userId, firstName, lastName, statusMessage, presenceStatus },
      rpc,
    );
    await announceSelf(edge, actor.userId);
    return composeSelf(edge, actor, rpc, row);
  });

  bind(routes.updatePrivacy, async ({ actor, body, rpc }) => {
    const { presenceVisibility, discoverable, shareReceipts } = body;
    const [row] = await Promise.all([
      presenceVisibility === undefined && discoverable === undefined
        ? undefined
        : identity.updatePrivacy({ actorId: actor.userId, presenceVisibility, discoverable }, rpc),
      shareReceipts === undefined ? undefined : chat.updatePreferences({ actorId: actor.userId, shareReceipts }, rpc),
    ]);
    await announceSelf(edge, actor.userId);
    return composeSelf(edge, actor, rpc, row);
  });
}
