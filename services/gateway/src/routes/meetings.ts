import { routes, type Meeting } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Meeting as MeetingRow, MeetingSettings } from '@nolo/proto/meetings';
import { normalizeRoomCode } from '@nolo/rules';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import type { Bind } from '../http/bind.ts';
import { tellNextPage } from '../http/nextPage.ts';
import { createBrowserMarks } from '../http/browserMarks.ts';
import { createGuestPasses } from '../http/guestPass.ts';
import { meetingCalendar } from './meetingCalendar.ts';
import { isoTime } from './mapPeople.ts';
import { toMeeting, toParticipant, toRemovedPerson } from './mapMeetings.ts';
import { findPeople } from './people.ts';

interface AskedSettings {
  allowRecording?: boolean | undefined;
  requireAuth?: boolean | undefined;
  waitingRoom?: boolean | undefined;
  allowScreenShare?: boolean | undefined;
  muteOnEntry?: boolean | undefined;
  maxParticipants?: number | undefined;
}

/** The payload says how many twice; unequal is refused (decision 21). */
function agreedMaximum(outer: number | undefined, inner: number | undefined): number | undefined {
  if (outer !== undefined && inner !== undefined && outer !== inner) {
    throw failGateway('invalid', 'invalid_input', 'maxParticipants and settings.maxParticipants differ.', {
      issues: [{ path: 'settings.maxParticipants', message: 'differs from maxParticipants' }],
    });
  }
  return outer ?? inner;
}

/** What was asked, over what holds now, or over what a new meeting begins with. */
function mergeSettings(asked: AskedSettings | undefined, now?: MeetingSettings): MeetingSettings {
  return {
    allowRecording: asked?.allowRecording ?? now?.allowRecording ?? false,
    requireAuth: asked?.requireAuth ?? now?.requireAuth ?? true,
    waitingRoom: asked?.waitingRoom ?? now?.waitingRoom ?? false,
    allowScreenShare: asked?.allowScreenShare ?? now?.allowScreenShare ?? true,
    muteOnEntry: asked?.muteOnEntry ?? now?.muteOnEntry ?? false,
  };
}

const ways = ['enter', 'wait', 'guest'] as const;

const dateOf = (time: string | null | undefined) => (time ? new Date(time) : undefined);

export function bindMeetings(bind: Bind, edge: Edge): void {
  const { meetings, rooms, publicUrl } = edge;
  const passes = createGuestPasses(edge);
  // So that whoever was removed from a meeting does not come back under another name.
  const marks = createBrowserMarks(edge, { name: 'visitor', path: '/api/meetings', purpose: 'nolo guest mark' });

  const composeAll = async (viewerId: string, rows: readonly MeetingRow[], rpc: RpcCallOptions): Promise<Meeting[]> => {
    const people = await findPeople(
      edge,
      viewerId,
      rows.flatMap(({ participantIds }) => participantIds),
      rpc,
    );
    return rows.map((row) => toMeeting(row, people));
  };
  const compose = async (viewerId: string, row: MeetingRow, rpc: RpcCallOptions): Promise<Meeting> => {
    const [meeting] = await composeAll(viewerId, [row], rpc);
    return meeting ?? toMeeting(row);
  };
  const named = (actorId: string, roomCode: string, address = '') => ({
    actorId,
    roomCode: normalizeRoomCode(roomCode),
    address,
  });

  bind(routes.createMeeting, async ({ actor, body, rpc }) => {
    const row = await meetings.createMeeting(
      {
        actorId: actor.userId,
        name: body.name,
        description: body.description ?? '',
        maxParticipants: agreedMaximum(body.maxParticipants, body.settings?.maxParticipants),
        scheduledAt: dateOf(body.scheduledAt),
        durationMinutes: body.duration ?? 0,
        timeZone: body.timeZone,
        recurrence: body.recurrence ?? 'none',
        // "isRecording" of the specification's payload asks for what settings call allowRecording: a browser records, once somebody is inside.
        settings: mergeSettings({ allowRecording: body.isRecording, ...body.settings }),
      },
      rpc,
    );
    return compose(actor.userId, row, rpc);
  });

  bind(routes.listMeetings, async ({ actor, query, rpc, response }) => {
    const page = await meetings.listMeetings(
      {
        actorId: actor.userId,
        filter: query.status,
        cursor: query.cursor,
        limit: query.limit,
      },
      rpc,
    );
    tellNextPage(response, page.nextCursor);
    return composeAll(actor.userId, page.meetings, rpc);
  });

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

  bind(routes.getMediaCapabilities, async ({ rpc }) => {
    const { rtpCapabilitiesJson } = await meetings.getMediaCapabilities({}, rpc);
    return { rtpCapabilities: JSON.parse(rtpCapabilitiesJson) as Record<string, unknown> };
  });

  bind(routes.getMeeting, async ({ actor, params, device, rpc }) =>
    compose(actor.userId, await meetings.getMeeting(named(actor.userId, params.roomCode, device.address), rpc), rpc),
  );

  bind(routes.updateMeeting, async ({ actor, params, body, device, rpc }) => {
    const now =
      body.settings === undefined
        ? undefined
        : await meetings.getMeeting(named(actor.userId, params.roomCode, device.address), rpc);
    const row = await meetings.updateMeeting(
      {
        ...named(actor.userId, params.roomCode),
        name: body.name,
        description: body.description,
        maxParticipants: agreedMaximum(body.maxParticipants, body.settings?.maxParticipants),
        scheduledAt: dateOf(body.scheduledAt),
        durationMinutes: body.duration,
        timeZone: body.timeZone,
        recurrence: body.recurrence,
        settings: now && mergeSettings(body.settings, now.settings),
        locked: body.locked,
        isRecording: body.isRecording,
      },
      rpc,
    );
    return compose(actor.userId, row, rpc);
  });

  bind(routes.cancelMeeting, async ({ actor, params, rpc }) =>
    compose(actor.userId, await meetings.cancelMeeting(named(actor.userId, params.roomCode), rpc), rpc),
  );

  bind(routes.endMeeting, async ({ actor, params, rpc }) =>
    compose(actor.userId, await meetings.endMeeting(named(actor.userId, params.roomCode), rpc), rpc),
  );

  bind(routes.getMeetingCalendar, async ({ actor, params, device, rpc, response }) => {
    const row = await meetings.getMeeting(named(actor.userId, params.roomCode, device.address), rpc);
    response.setHeader('Content-Type', 'text/calendar; charset=utf-8');
    response.setHeader('Content-Disposition', `attachment; filename="meeting-${row.roomCode}.ics"`);
    response.end(meetingCalendar(toMeeting(row), publicUrl));
  });

  bind(routes.createInvite, async ({ actor, params, rpc }) => {
    const asked = named(actor.userId, params.roomCode);
    const { token } = await meetings.createInvite(asked, rpc);
    // In the fragment it is in no request, and so in no log of a proxy (decision 9).
    return { url: `${publicUrl}/meeting/${asked.roomCode}#invite=${token}` };
  });

  bind(routes.revokeInvite, async ({ actor, params, rpc }) => {
    await meetings.revokeInvite(named(actor.userId, params.roomCode), rpc);
  });

  bind(routes.rotateRoomCode, async ({ actor, params, body, rpc }) => {
    const { actorId, roomCode } = named(actor.userId, params.roomCode);
    const row = await meetings.rotateRoomCode({ actorId, roomCode, expiresAt: dateOf(body?.expiresAt) }, rpc);
    return compose(actor.userId, row, rpc);
  });

  bind(routes.expireRoomCode, async ({ actor, params, rpc }) =>
    compose(actor.userId, await meetings.expireRoomCode(named(actor.userId, params.roomCode), rpc), rpc),
  );

  bind(routes.listLobby, async ({ actor, params, rpc }) => {
    const { waiting } = await rooms.listLobby(named(actor.userId, params.roomCode), rpc);
    return waiting.map(toParticipant);
  });

  bind(routes.listRemoved, async ({ actor, params, query, rpc, response }) => {
    const { actorId, roomCode } = named(actor.userId, params.roomCode);
    const asked = { actorId, roomCode, cursor: query.cursor, limit: query.limit };
    const { removed, nextCursor } = await rooms.listRemoved(asked, rpc);
    tellNextPage(response, nextCursor);
    const ids = removed.map(({ userId }) => userId);
    const people = await findPeople(edge, actorId, ids, rpc);
    return removed.map((row) => toRemovedPerson(row, people));
  });

  bind(routes.moderate, async ({ actor, params, body, rpc }) => {
    await rooms.moderate(
      {
        actorId: actor.userId,
        roomCode: normalizeRoomCode(params.roomCode),
        participantId: body.participantId,
        userId: body.userId,
        action: body.action,
      },
      rpc,
    );
  });

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
    if (!guest) throw failGateway('forbidden', 'guest_refused', 'Guests cannot come in here.');
    passes.give(response, token, guest.expiresAt);
    marks.give(response, mark);
    return { guestId: guest.id, name: guest.name, roomCode: guest.roomCode, expiresAt: isoTime(guest.expiresAt) };
  });
}
