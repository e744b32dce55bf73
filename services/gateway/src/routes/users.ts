import { routes } from '@nolo/api';
import { pickPrivacyChoices } from '@nolo/rules';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute, RouteCall } from '../http/routeBinder.ts';
import { toUser } from '../mapping/people.ts';
import { toPreferenceRows, toPreferences } from '../mapping/preferences.ts';
import { composeSelf } from '../mapping/selfReply.ts';

export function bindUsers(
  bind: BindRoute,
  context: Pick<GatewayContext, 'identity' | 'chat' | 'calls' | 'sessions' | 'delivery'>,
): void {
  const { identity, chat, calls } = context;

  bind(routes.getSelf, async ({ actor, device, rpc, request, response }) => {
    const self = await composeSelf(context, { ...actor, address: device.address }, rpc);
    // Every page load starts with this request.
    context.sessions.renew(request.headers, response, actor);
    return self;
  });

  type Search = Pick<RouteCall<typeof routes.searchUsers>, 'actor' | 'device' | 'query' | 'rpc'>;
  const search = async ({ actor, device, query, rpc }: Search) => {
    const { users } = await identity.searchUsers(
      { actorId: actor.userId, query: query.q, address: device.address },
      rpc,
    );
    return users.map(toUser);
  };
  bind(routes.searchUsers, search);
  bind(routes.searchUsersDebounced, search);

  bind(routes.getUser, async ({ actor, params, rpc }) => {
    const { users } = await identity.getUsers({ actorId: actor.userId, userIds: [params.id] }, rpc);
    const [user] = users;
    if (!user) throw createGatewayError('not_found', 'user_not_found', 'User not found.');
    return toUser(user);
  });

  bind(routes.updateProfile, async ({ actor, body, device, rpc }) => {
    const { firstName, lastName, statusMessage, presenceStatus, language, timeZone } = body;
    const reading = { language, deviceLanguage: device.language, timeZone };
    const row = await identity.updateProfile(
      { actorId: actor.userId, firstName, lastName, statusMessage, presenceStatus, ...reading },
      rpc,
    );
    return composeSelf(context, actor, rpc, row);
  });

  bind(routes.updatePreferences, async ({ actor, body, rpc }) => {
    const chosen = { actorId: actor.userId, preferences: toPreferenceRows(body) };
    return toPreferences((await identity.updatePreferences(chosen, rpc)).preferences);
  });

  bind(routes.setUsername, async ({ actor, body, rpc }) => {
    const row = await identity.setUsername({ actorId: actor.userId, username: body.username ?? undefined }, rpc);
    return composeSelf(context, actor, rpc, row);
  });

  bind(routes.updatePrivacy, async ({ actor, body, rpc }) => {
    const actorId = actor.userId;
    const ofIdentity = pickPrivacyChoices('identity', body);
    const ofChat = { ...pickPrivacyChoices('chat', body), keepArchived: body.keepArchived };
    const ofCalls = pickPrivacyChoices('meetings', body);
    const hasChanges = (changes: object) => Object.values(changes).some((value) => value !== undefined);
    const [row] = await Promise.all([
      hasChanges(ofIdentity) ? identity.updatePrivacy({ actorId, ...ofIdentity }, rpc) : undefined,
      hasChanges(ofChat) ? chat.updatePreferences({ actorId, ...ofChat }, rpc) : undefined,
      hasChanges(ofCalls) ? calls.updateCallPreferences({ actorId, ...ofCalls }, rpc) : undefined,
    ]);
    // Identity notifies the account's other devices of its own changes. Chat and calls do not know that their data
    // belongs to the account.
    if (hasChanges({ ...ofChat, ...ofCalls })) {
      await context.delivery.deliverLoosely({ recipients: [actorId], frame: { type: 'self_changed', data: {} } });
    }
    return composeSelf(context, actor, rpc, row);
  });
}
