import { routes } from '@nolo/api';
import { normalizeRoomCode } from '@nolo/rules';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import type { Bind } from '../http/bind.ts';
import { createBrowserMarks } from '../http/browserMarks.ts';
import { createGuestPasses } from '../http/guestPass.ts';
import { isoTime } from './mapPeople.ts';
import { toMeeting } from './mapMeetings.ts';
import { createMeetingComposer, dateOf, namedMeeting } from './meetingComposer.ts';

const ways = ['enter', 'wait', 'guest'] as const;

/** Routes for entering a meeting: links, room codes, and guests. */
export function bindMeetingEntry(bind: Bind, edge: Edge): void {
  const { meetings, publicUrl } = edge;
  const { compose } = createMeetingComposer(edge);
  const passes = createGuestPasses(edge);
  // Keeps people who were removed from a meeting from returning under another name.
  const marks = createBrowserMarks(edge, { name: 'visitor', path: '/api/meetings', purpose: 'nolo guest mark' });

  bind(routes.joinMeeting, async ({ params, body, device, rpc, request }) => {
    const actor = await edge.sessions.find(request.headers, rpc);
    const { access, meeting, guarded } = await meetings.checkAccess(
      {
        actorId: actor?.userId,
        roomCode: normalizeRoomCode(params.code),
        inviteToken: body.inviteToken,
        address: device.address,
      },
      rpc,
    );
    if (!meeting) throw failGateway('not_found', 'route_not_found', 'Meeting not found.');
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
    const asked = namedMeeting(actor.userId, params.roomCode);
    const { token } = await meetings.createInvite(asked, rpc);
    // Fragments appear in no request, and therefore in no proxy log (decision 9).
    return { url: `${publicUrl}/meeting/${asked.roomCode}#invite=${token}` };
  });

  bind(routes.revokeInvite, async ({ actor, params, rpc }) => {
    await meetings.revokeInvite(namedMeeting(actor.userId, params.roomCode), rpc);
  });

  bind(routes.rotateRoomCode, async ({ actor, params, body, rpc }) => {
    const { actorId, roomCode } = namedMeeting(actor.userId, params.roomCode);
    const row = await meetings.rotateRoomCode({ actorId, roomCode, expiresAt: dateOf(body?.expiresAt) }, rpc);
    return compose(actor.userId, row, rpc);
  });

  bind(routes.expireRoomCode, async ({ actor, params, rpc }) =>
    compose(actor.userId, await meetings.expireRoomCode(namedMeeting(actor.userId, params.roomCode), rpc), rpc),
  );

  bind(routes.createGuest, async ({ params, body, device, rpc, request, response }) => {
    const actor = await edge.sessions.find(request.headers, rpc);
    const mark = marks.of(request.headers);
    const { guest, token } = await meetings.createGuest(
      {
        roomCode: normalizeRoomCode(params.roomCode),
        name: body.name,
        address: device.address,
        actorId: actor?.userId,
        visitorId: mark.id,
        inviteToken: body.inviteToken,
      },
      rpc,
    );
    if (!guest) throw failGateway('forbidden', 'guest_refused', 'Guests are not allowed here.');
    passes.give(response, token, guest.expiresAt);
    marks.give(response, mark);
    return { guestId: guest.id, name: guest.name, roomCode: guest.roomCode, expiresAt: isoTime(guest.expiresAt) };
  });
}
