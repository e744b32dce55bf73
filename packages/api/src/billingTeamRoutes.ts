import * as z from 'zod/mini';
import * as b from './billingSchemas.ts';
import { idParams } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

const tagged = { access: 'session', tag: 'billing' } as const;
const away = 'billing_unavailable';
const invited = [away, 'team_not_found', 'not_team_owner', 'seats_taken', 'user_not_found', 'seat_elsewhere'] as const;

/** Team of a Business plan. The buyer of the seats assigns and revokes them. */
export const billingTeamRoutes = {
  getTeam: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/billing/team',
    summary: 'Get the team whose seats you bought, or in which you have a seat or an invitation',
    reply: b.team,
    errors: [away, 'team_not_found'],
  }),
  inviteToSeat: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/billing/team/seats',
    summary: 'Invite a person to a free seat; repeating it changes nothing',
    body: z.object({ userId: s.id }),
    example: { userId: '0190a5f4-7d3e-7000-8000-000000000001' },
    reply: b.team,
    limit: 'billingChangesPerUser',
    errors: invited,
  }),
  freeSeat: defineRoute({
    ...tagged,
    method: 'DELETE',
    path: '/api/billing/team/seats/{id}',
    status: 204,
    summary: 'Revoke a seat, or leave your own; `id` is the account that has it',
    params: idParams,
    limit: 'billingChangesPerUser',
    errors: [away, 'seat_not_found', 'team_not_found', 'not_team_owner'],
  }),
  acceptSeat: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/billing/team/seats/{id}/accept',
    summary: 'Accept the seat you are invited to; `id` is the account that bought it',
    params: idParams,
    reply: b.team,
    limit: 'billingChangesPerUser',
    errors: [away, 'seat_not_found', 'team_not_found', 'seat_elsewhere'],
  }),
  moveSeat: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/billing/team/seats/{id}/move',
    summary: 'Move a seat from one account to another in one step',
    params: idParams,
    body: z.object({ userId: s.id }),
    example: { userId: '0190a5f4-7d3e-7000-8000-000000000001' },
    reply: b.team,
    limit: 'billingChangesPerUser',
    errors: [...invited, 'seat_not_found'],
  }),
} as const;
