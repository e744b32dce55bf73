import { routes } from '@nolo/api';
import type { MeetingSettings } from '@nolo/proto/meetings';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { createMeetingCalendar } from './meetingCalendar.ts';
import { toMeeting } from '../mapping/meetings.ts';
import { createMeetingComposer, toDate, toMeetingRequest } from '../mapping/meetingComposer.ts';

interface RequestedSettings {
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
    throw createGatewayError(
      'invalid',
      'invalid_input',
      'maxParticipants and settings.maxParticipants must be equal.',
      {
        issues: [{ path: 'settings.maxParticipants', message: 'must equal maxParticipants' }],
      },
    );
  }
  return outer ?? inner;
}

/** Merges requested settings over the current ones, or over the defaults of a new meeting. */
function mergeSettings(requestedSettings: RequestedSettings | undefined, now?: MeetingSettings): MeetingSettings {
  return {
    allowRecording: requestedSettings?.allowRecording ?? now?.allowRecording ?? false,
    requireAuth: requestedSettings?.requireAuth ?? now?.requireAuth ?? true,
    waitingRoom: requestedSettings?.waitingRoom ?? now?.waitingRoom ?? false,
    allowScreenShare: requestedSettings?.allowScreenShare ?? now?.allowScreenShare ?? true,
    muteOnEntry: requestedSettings?.muteOnEntry ?? now?.muteOnEntry ?? false,
  };
}

/** Routes for planning, changing, canceling, and ending meetings. */
export function bindMeetings(
  bind: BindRoute,
  context: Pick<GatewayContext, 'meetings' | 'publicUrl' | 'identity'>,
): void {
  const { meetings, publicUrl } = context;
  const { compose, composeAll } = createMeetingComposer(context);

  bind(routes.createMeeting, async ({ actor, body, rpc }) => {
    const row = await meetings.createMeeting(
      {
        actorId: actor.userId,
        name: body.name,
        description: body.description ?? '',
        maxParticipants: agreedMaximum(body.maxParticipants, body.settings?.maxParticipants),
        scheduledAt: toDate(body.scheduledAt),
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
    setNextPageHeader(response, page.nextCursor);
    return composeAll(actor.userId, page.meetings, rpc);
  });

  bind(routes.getMediaCapabilities, async ({ rpc }) => {
    const { rtpCapabilitiesJson } = await meetings.getMediaCapabilities({}, rpc);
    return { rtpCapabilities: JSON.parse(rtpCapabilitiesJson) as Record<string, unknown> };
  });

  bind(routes.getMeeting, async ({ actor, params, device, rpc }) =>
    compose(
      actor.userId,
      await meetings.getMeeting(toMeetingRequest(actor.userId, params.roomCode, device.address), rpc),
      rpc,
    ),
  );

  bind(routes.updateMeeting, async ({ actor, params, body, device, rpc }) => {
    const now =
      body.settings === undefined
        ? undefined
        : await meetings.getMeeting(toMeetingRequest(actor.userId, params.roomCode, device.address), rpc);
    const row = await meetings.updateMeeting(
      {
        ...toMeetingRequest(actor.userId, params.roomCode),
        name: body.name,
        description: body.description,
        maxParticipants: agreedMaximum(body.maxParticipants, body.settings?.maxParticipants),
        scheduledAt: toDate(body.scheduledAt),
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
    compose(actor.userId, await meetings.cancelMeeting(toMeetingRequest(actor.userId, params.roomCode), rpc), rpc),
  );

  bind(routes.endMeeting, async ({ actor, params, rpc }) =>
    compose(actor.userId, await meetings.endMeeting(toMeetingRequest(actor.userId, params.roomCode), rpc), rpc),
  );

  bind(routes.getMeetingCalendar, async ({ actor, params, device, rpc, response }) => {
    const row = await meetings.getMeeting(toMeetingRequest(actor.userId, params.roomCode, device.address), rpc);
    response.setHeader('Content-Type', 'text/calendar; charset=utf-8');
    response.setHeader('Content-Disposition', `attachment; filename="meeting-${row.roomCode}.ics"`);
    response.end(createMeetingCalendar(toMeeting(row), row.monthDay, publicUrl));
  });
}
