import { routes } from '@nolo/api';
import { normalizeRoomCode } from '@nolo/rules';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { createDeviceCookies } from '../http/deviceCookies.ts';
import { createGuestPasses } from '../http/guestPass.ts';
import { toIsoTime } from '../mapping/people.ts';
import { toMeeting } from '../mapping/meetings.ts';
import { createMeetingComposer, toDate, toMeetingRequest } from '../mapping/meetingComposer.ts';

const ways = ['enter', 'wait', 'guest'] as const;

/** Routes for entering a meeting: links, room codes, and guests. */
export function bindMeetingEntry(
  bind: BindRoute,
  context: Pick<GatewayContext, 'meetings' | 'publicUrl' | 'identity' | 'config' | 'clock' | 'sessions'>,
): void {
  const { meetings, publicUrl } = context;
  const { compose } = createMeetingComposer(context);
  const passes = createGuestPasses(context);
  // Keeps people who were removed from a meeting from returning under another name.
  const deviceCookies = createDeviceCookies(context, {
    name: 'visitor',
    path: '/api/meetings',
    purpose: 'nolo guest mark',
  });

  bind(routes.joinMeeting, async ({ params, body, device, rpc, request }) => {
    const actor = await context.sessions.find(request.headers, rpc);
    const { access, meeting, guarded } = await meetings.checkAccess(
      {
        actorId: actor?.userId,
        roomCode: normalizeRoomCode(params.code),
        inviteToken: body.inviteToken,
        address: device.address,
      },
      rpc,
    );
    if (!meeting) throw createGatewayError('not_found', 'route_not_found', 'Meeting not found.');
    const { name, roomCode, status, isRecording, brand } = toMeeting(meeting);
    return {
      access: ways.find((way) => way === access) ?? 'wait',
      name,
      roomCode,
      status,
      guarded,
      isRecording,
      brand,
    };
  });

  bind(routes.createInvite, async ({ actor, params, rpc }) => {
    const rpcRequest = toMeetingRequest(actor.userId, params.roomCode);
    const { token } = await meetings.createInvite(rpcRequest, rpc);
    // Fragments appear in no request, and therefore in no proxy log (decision 9).
    return { url: `${publicUrl}/meeting/${rpcRequest.roomCode}#invite=${token}` };
  });

  bind(routes.revokeInvite, async ({ actor, params, rpc }) => {
    await meetings.revokeInvite(toMeetingRequest(actor.userId, params.roomCode), rpc);
  });

  bind(routes.rotateRoomCode, async ({ actor, params, body, rpc }) => {
    const { actorId, roomCode } = toMeetingRequest(actor.userId, params.roomCode);
    const row = await meetings.rotateRoomCode({ actorId, roomCode, expiresAt: toDate(body?.expiresAt) }, rpc);
    return compose(actor.userId, row, rpc);
  });

  bind(routes.expireRoomCode, async ({ actor, params, rpc }) =>
    compose(actor.userId, await meetings.expireRoomCode(toMeetingRequest(actor.userId, params.roomCode), rpc), rpc),
  );

  bind(routes.createGuest, async ({ params, body, device, rpc, request, response }) => {
    const actor = await context.sessions.find(request.headers, rpc);
    const deviceCookie = deviceCookies.of(request.headers);
    const { guest, token } = await meetings.createGuest(
      {
        roomCode: normalizeRoomCode(params.roomCode),
        name: body.name,
        address: device.address,
        actorId: actor?.userId,
        visitorId: deviceCookie.id,
        inviteToken: body.inviteToken,
      },
      rpc,
    );
    if (!guest) throw createGatewayError('forbidden', 'guest_refused', 'Guests are not allowed here.');
    passes.give(response, token, guest.expiresAt);
    deviceCookies.give(response, deviceCookie);
    return { guestId: guest.id, name: guest.name, roomCode: guest.roomCode, expiresAt: toIsoTime(guest.expiresAt) };
  });
}
