import * as z from 'zod/mini';
import * as b from './billingSchemas.ts';
import { idParams } from './parameters.ts';
import { route } from './route.ts';
import * as s from './schemas.ts';

const tagged = { access: 'session', tag: 'billing' } as const;
const away = 'billing_unavailable';
const invited = [away, 'team_not_found', 'not_team_owner', 'seats_taken', 'user_not_found', 'seat_elsewhere'] as const;

/** Team of a Business plan. The buyer of the seats assigns and revokes them. */
export const billingTeamRoutes = {
  getTeam: route({
    ...tagged,
    method: 'GET',
    path: '/api/billing/team',
    summary: 'The team whose seats one bought, or in which one has a seat or is invited to one',
    reply: b.team,
    errors: [away, 'team_not_found'],
  }),
  inviteToSeat: route({
    ...tagged,
    method: 'POST',
    path: '/api/billing/team/seats',
    summary: 'Invite somebody to a free seat; the same again changes nothing',
    body: z.object({ userId: s.id }),
    example: { userId: '0190a5f4-7d3e-7000-8000-000000000001' },
    reply: b.team,
    limit: 'billingChangesPerUser',
    errors: invited,
  }),
  freeSeat: route({
    ...tagged,
    method: 'DELETE',
    path: '/api/billing/team/seats/{id}',
    status: 204,
    summary: 'Take a seat back, or leave one’s own; `id` is the account that has it',
    params: idParams,
    limit: 'billingChangesPerUser',
    errors: [away, 'seat_not_found', 'team_not_found', 'not_team_owner'],
  }),
  acceptSeat: route({
    ...tagged,
    method: 'POST',
    path: '/api/billing/team/seats/{id}/accept',
    summary: 'Take the seat that one was invited to; `id` is the account that bought it',
    params: idParams,
    reply: b.team,
    limit: 'billingChangesPerUser',
    errors: [away, 'seat_not_found', 'team_not_found', 'seat_elsewhere'],
  }),
  moveSeat: route({
    ...tagged,
    method: 'POST',
    path: '/api/billing/team/seats/{id}/move',
    summary: 'Give the seat of one account to another in one step',
    params: idParams,
    body: z.object({ userId: s.id }),
    example: { userId: '0190a5f4-7d3e-7000-8000-000000000001' },
    reply: b.team,
    limit: 'billingChangesPerUser',
    errors: [...invited, 'seat_not_found'],
  }),
} as const;
