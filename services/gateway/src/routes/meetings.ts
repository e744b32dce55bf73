import { routes } from '@nolo/api';
import type { MeetingSettings } from '@nolo/proto/meetings';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import type { Bind } from '../http/bind.ts';
import { tellNextPage } from '../http/nextPage.ts';
import { meetingCalendar } from './meetingCalendar.ts';
import { toMeeting } from './mapMeetings.ts';
import { createMeetingComposer, dateOf, namedMeeting } from './meetingComposer.ts';

interface AskedSettings {
  allowRecording?: boolean | undefined;
  requireAuth?: boolean | undefined;
  waitingRoom?: boolean | undefined;
  allowScreenShare?: boolean | undefined;
  muteOnEntry?: boolean | undefined;
  maxParticipants?: number | undefined;
}

/** Returns the maximum. The payload contains it twice; different values are refused (decision 21). */
function agreedMaximum(outer: number | undefined, inner: number | undefined): number | undefined {
  if (outer !== undefined && inner !== undefined && outer !== inner) {
    throw failGateway('invalid', 'invalid_input', 'maxParticipants and settings.maxParticipants must be equal.', {
      issues: [{ path: 'settings.maxParticipants', message: 'must equal maxParticipants' }],
    });
  }
  return outer ?? inner;
}

/** Merges requested settings over the current ones, or over the defaults of a new meeting. */
function mergeSettings(asked: AskedSettings | undefined, now?: MeetingSettings): MeetingSettings {
  return {
    allowRecording: asked?.allowRecording ?? now?.allowRecording ?? false,
    requireAuth: asked?.requireAuth ?? now?.requireAuth ?? true,
    waitingRoom: asked?.waitingRoom ?? now?.waitingRoom ?? false,
    allowScreenShare: asked?.allowScreenShare ?? now?.allowScreenShare ?? true,
    muteOnEntry: asked?.muteOnEntry ?? now?.muteOnEntry ?? false,
  };
}

/** Routes for planning, changing, canceling, and ending meetings. */
export function bindMeetings(bind: Bind, edge: Edge): void {
  const { meetings, publicUrl } = edge;
  const { compose, composeAll } = createMeetingComposer(edge);

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
        // "isRecording" in the specification's payload means allowRecording in settings. Browsers record, once someone
        // is in the meeting.
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

  bind(routes.getMediaCapabilities, async ({ rpc }) => {
    const { rtpCapabilitiesJson } = await meetings.getMediaCapabilities({}, rpc);
    return { rtpCapabilities: JSON.parse(rtpCapabilitiesJson) as Record<string, unknown> };
  });

  bind(routes.getMeeting, async ({ actor, params, device, rpc }) =>
    compose(
      actor.userId,
      await meetings.getMeeting(namedMeeting(actor.userId, params.roomCode, device.address), rpc),
      rpc,
    ),
  );

  bind(routes.updateMeeting, async ({ actor, params, body, device, rpc }) => {
    const now =
      body.settings === undefined
        ? undefined
        : await meetings.getMeeting(namedMeeting(actor.userId, params.roomCode, device.address), rpc);
    const row = await meetings.updateMeeting(
      {
        ...namedMeeting(actor.userId, params.roomCode),
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
    compose(actor.userId, await meetings.cancelMeeting(namedMeeting(actor.userId, params.roomCode), rpc), rpc),
  );

  bind(routes.endMeeting, async ({ actor, params, rpc }) =>
    compose(actor.userId, await meetings.endMeeting(namedMeeting(actor.userId, params.roomCode), rpc), rpc),
  );

  bind(routes.getMeetingCalendar, async ({ actor, params, device, rpc, response }) => {
    const row = await meetings.getMeeting(namedMeeting(actor.userId, params.roomCode, device.address), rpc);
    response.setHeader('Content-Type', 'text/calendar; charset=utf-8');
    response.setHeader('Content-Disposition', `attachment; filename="meeting-${row.roomCode}.ics"`);
    response.end(meetingCalendar(toMeeting(row), row.monthDay, publicUrl));
  });
}
