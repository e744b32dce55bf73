import { routes, type Team } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Team as TeamRow } from '@nolo/proto/team';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { requireBilling } from './billing.ts';
import { toTeam } from '../mapping/billing.ts';
import { findPeople } from '../mapping/findPeople.ts';

/** Routes for the seats of a Business plan. */
export function bindBillingTeam(
  bind: BindRoute,
  context: Pick<GatewayContext, 'identity' | 'billing' | 'team' | 'billingAdmin'>,
): void {
  const compose = async (actorId: string, row: TeamRow, rpc: RpcCallOptions): Promise<Team> => {
    const wanted = row.members.map(({ userId }) => userId);
    return toTeam(row, await findPeople(context, actorId, wanted, rpc), actorId);
  };

  bind(routes.getTeam, async ({ actor, rpc }) =>
    compose(actor.userId, await requireBilling(context).team.getTeam({ actorId: actor.userId }, rpc), rpc),
  );

  bind(routes.inviteToSeat, async ({ actor, body, rpc }) => {
    const invited = { actorId: actor.userId, userId: body.userId };
    return compose(actor.userId, await requireBilling(context).team.inviteToSeat(invited, rpc), rpc);
  });

  bind(routes.acceptSeat, async ({ actor, params, rpc }) => {
    const accepted = { actorId: actor.userId, userId: params.id };
    return compose(actor.userId, await requireBilling(context).team.acceptSeat(accepted, rpc), rpc);
  });

  bind(routes.freeSeat, async ({ actor, params, rpc }) => {
    await requireBilling(context).team.freeSeat({ actorId: actor.userId, userId: params.id }, rpc);
  });

  bind(routes.moveSeat, async ({ actor, params, body, rpc }) => {
    const moved = { actorId: actor.userId, fromUserId: params.id, toUserId: body.userId };
    return compose(actor.userId, await requireBilling(context).team.moveSeat(moved, rpc), rpc);
  });
}
