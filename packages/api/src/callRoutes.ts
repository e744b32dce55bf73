import { callTypes, limits } from '@nolo/rules';
import * as z from 'zod/mini';
import * as m from './meetingSchemas.ts';
import { limitUpTo, cursor } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

const callParams = z.object({ id: z.string().check(z.minLength(1), z.maxLength(100)) });
/** Created by each tab, so that a call belongs to one tab. */
const deviceId = s.id;

/** Calls (spec sections 4 and 7; decisions 10 and 19). Signals travel over the socket. */
export const callRoutes = {
  initiateCall: defineRoute({
    method: 'POST',
    path: '/api/calls/initiate',
    access: 'session',
    tag: 'calls',
    status: 201,
    summary: 'Call the other person in a direct conversation',
    body: z.object({
      conversationId: s.id,
      callType: z.enum([...callTypes, 'voice']),
      deviceId: z.optional(deviceId),
    }),
    reply: m.call,
    limit: 'callsPerUser',
    errors: [
      'conversation_not_found',
      'user_unavailable',
      'call_busy',
      'call_invalid',
      'request_limit',
      'messages_not_allowed',
      'switched_off',
    ],
  }),
  listCalls: defineRoute({
    method: 'GET',
    path: '/api/calls',
    access: 'session',
    scope: 'meetings:read',
    tag: 'calls',
    summary: 'List your calls, latest first',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(limits.callsPerPage)) }),
    reply: z.array(m.call),
    errors: ['cursor_invalid'],
  }),
  getCall: defineRoute({
    method: 'GET',
    path: '/api/calls/{id}',
    access: 'session',
    scope: 'meetings:read',
    tag: 'calls',
    summary: 'One call',
    params: callParams,
    reply: m.call,
    errors: ['call_not_found'],
  }),
  answerCall: defineRoute({
    method: 'POST',
    path: '/api/calls/{id}/answer',
    access: 'session',
    tag: 'calls',
    summary: 'Answer on this device; the others stop ringing',
    params: callParams,
    body: z.object({
      deviceId,
      /** Signal of a direct call, delivered to the caller's device immediately, as by `webrtc_signal`. */
      signalData: z.optional(z.record(z.string(), z.unknown())),
    }),
    reply: m.call,
    limit: 'callChangesPerUser',
    errors: ['call_not_found', 'call_over', 'call_answered_elsewhere', 'call_busy', 'call_invalid', 'signal_too_large'],
  }),
  declineCall: defineRoute({
    method: 'POST',
    path: '/api/calls/{id}/decline',
    access: 'session',
    tag: 'calls',
    summary: 'Decline on all devices',
    params: callParams,
    reply: m.call,
    limit: 'callChangesPerUser',
    errors: ['call_not_found', 'call_over', 'call_answered_elsewhere', 'call_invalid'],
  }),
  endCall: defineRoute({
    method: 'POST',
    path: '/api/calls/{id}/end',
    access: 'session',
    tag: 'calls',
    summary: 'End a call, or cancel it while it rings',
    params: callParams,
    /** `failed` if no media arrived. */
    query: z.object({ reason: z.optional(z.literal('failed')) }),
    reply: m.call,
    limit: 'callChangesPerUser',
    errors: ['call_not_found'],
  }),
  updateCall: defineRoute({
    method: 'PATCH',
    path: '/api/calls/{id}',
    access: 'session',
    tag: 'calls',
    summary: 'Upgrade a call to video, move it to the SFU, or report that media is flowing',
    params: callParams,
    body: z.object({
      deviceId: z.optional(deviceId),
      type: z.optional(z.literal('video')),
      mode: z.optional(z.literal('room')),
      status: z.optional(z.literal('connected')),
    }),
    reply: m.call,
    limit: 'callChangesPerUser',
    errors: ['call_not_found', 'call_over', 'call_invalid'],
  }),
  inviteToCall: defineRoute({
    method: 'POST',
    path: '/api/calls/{id}/invite',
    access: 'session',
    tag: 'calls',
    summary: 'Ring a third person; the call moves to the SFU',
    params: callParams,
    body: z.object({ userId: s.id }),
    reply: m.call,
    limit: 'callsPerUser',
    errors: [
      'call_not_found',
      'call_over',
      'call_invalid',
      'user_not_found',
      'user_unavailable',
      'room_full',
      'plan_limit',
      'request_limit',
      'messages_not_allowed',
    ],
  }),
  getIceServers: defineRoute({
    method: 'GET',
    path: '/api/calls/ice-servers',
    access: 'session',
    tag: 'calls',
    summary: 'Get ICE servers with time-limited credentials; empty if none are configured',
    reply: z.array(m.iceServer),
  }),
} as const;
