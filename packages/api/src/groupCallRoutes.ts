import { callTypes } from '@nolo/rules';
import * as z from 'zod/mini';
import { groupRing, meeting } from './meetingSchemas.ts';
import { idParams } from './parameters.ts';
import { defineRoute } from './route.ts';

const inGroup = { access: 'session', tag: 'groups', params: idParams } as const;
const notFound = 'conversation_not_found';

/** Group calls, which ring for members (decision 52). A member answers by entering the room. */
export const groupCallRoutes = {
  callGroup: defineRoute({
    ...inGroup,
    method: 'POST',
    path: '/api/group-chats/{id}/call',
    summary:
      'Start a call in the group, or join the one in progress; returns the room, which members enter directly. With a type, it rings for members who have not muted the group, in groups of up to 32 people',
    body: z.optional(z.object({ callType: z.optional(z.enum([...callTypes, 'voice'])) })),
    reply: z.object({ roomCode: z.string() }),
    limit: 'callsPerUser',
    errors: [notFound, 'switched_off', 'removed'],
  }),
  getGroupCall: defineRoute({
    ...inGroup,
    method: 'GET',
    path: '/api/group-chats/{id}/call',
    scope: 'meetings:read',
    summary: 'Get the call in progress in the group, without starting one',
    reply: z.object({ meeting: z.nullable(meeting) }),
    errors: [notFound],
  }),
  declineGroupCall: defineRoute({
    ...inGroup,
    method: 'DELETE',
    path: '/api/group-chats/{id}/call/ring',
    summary: 'Stop a group call from ringing, on all your devices',
    status: 204,
    limit: 'callChangesPerUser',
    errors: [notFound],
  }),
  listGroupRings: defineRoute({
    method: 'GET',
    path: '/api/group-calls/ringing',
    access: 'session',
    scope: 'meetings:read',
    tag: 'groups',
    summary: 'List the group calls that are ringing for you',
    reply: z.array(groupRing),
  }),
} as const;
