import { clientEventLimits, clientEvents, closeCodes, type ClientEventName } from '@nolo/api';
import type { AppError } from '@nolo/kit/errors';
import type { Log } from '@nolo/kit/log';
import { errorTypeOf, startTrace, withCurrentSpan } from '@nolo/kit/tracing';
import { socketLimits } from '@nolo/rules';
import type { RawData } from 'ws';
import { createGatewayError, createInvalidInputError, type InputIssue } from '../errors.ts';
import { logError, toClientError } from '../http/errorReply.ts';
import { countRateLimited, type GatewayMetrics } from '../http/metrics.ts';
import { parseSection } from '../http/validate.ts';
import type { Connection } from './Connection.ts';
import { authenticate } from './events/authenticate.ts';
import type { EventContext, EventHandler } from './events/event.ts';
import { joinConversation } from './events/joinConversation.ts';
import { leaveConversation } from './events/leaveConversation.ts';
import { callEnd, webrtcSignal } from './events/meetings/calls.ts';
import { joinMeeting } from './events/meetings/joinMeeting.ts';
import { leaveMeeting } from './events/meetings/leaveMeeting.ts';
import * as media from './events/meetings/media.ts';
import { meetingReaction } from './events/meetings/meetingReaction.ts';
import { meetingRecordingToggle } from './events/meetings/meetingRecordingToggle.ts';
import { sfuConnectionUpdate } from './events/meetings/sfuConnectionUpdate.ts';
import * as toggles from './events/meetings/toggles.ts';
import { groupChatMessage, joinGroupChat, leaveGroupChat } from './events/groupChats.ts';
import { moveCursors } from './events/moveCursors.ts';
import { ping } from './events/ping.ts';
import { typingStart } from './events/typingStart.ts';
import { typingStop } from './events/typingStop.ts';
import { visibility } from './events/visibility.ts';
import type { FrameBudget, ExceededBudget } from './frameBudget.ts';
import {
  isTurnOffEvent,
  peekFrame,
  isEventName,
  mayBeTurnOffEvent,
  readFrame,
  type FrameEnvelope,
} from './readFrame.ts';
import type { FrameSender } from './send.ts';

const handlers: { readonly [N in ClientEventName]: EventHandler<N> } = {
  authenticate,
  join_conversation: joinConversation,
  leave_conversation: leaveConversation,
  join_group_chat: joinGroupChat,
  leave_group_chat: leaveGroupChat,
  group_chat_message: groupChatMessage,
  typing_start: typingStart,
  typing_stop: typingStop,
  move_cursors: moveCursors,
  ping,
  visibility,
  join_meeting: joinMeeting,
  leave_meeting: leaveMeeting,
  meeting_audio_toggle: toggles.meetingAudioToggle,
  meeting_video_toggle: toggles.meetingVideoToggle,
  meeting_screenshare_toggle: toggles.meetingScreenshareToggle,
  meeting_hand_toggle: toggles.meetingHandToggle,
  meeting_reaction: meetingReaction,
  meeting_recording_toggle: meetingRecordingToggle,
  sfu_connection_update: sfuConnectionUpdate,
  media_reserve: media.mediaReserve,
  media_join: media.mediaJoin,
  media_connect_transport: media.mediaConnectTransport,
  media_restart_ice: media.mediaRestartIce,
  media_produce: media.mediaProduce,
  media_close_producer: media.mediaCloseProducer,
  media_resume_consumers: media.mediaResumeConsumers,
  media_view: media.mediaView,
  webrtc_signal: webrtcSignal,
  call_end: callEnd,
};

/** Events that guests may send. */
const forGuests: ReadonlySet<string> = new Set<ClientEventName>([
  'authenticate',
  'ping',
  'join_meeting',
  'leave_meeting',
  'meeting_audio_toggle',
  'meeting_video_toggle',
  'meeting_screenshare_toggle',
  'meeting_hand_toggle',
  'meeting_reaction',
  'sfu_connection_update',
  'media_join',
  'media_connect_transport',
  'media_restart_ice',
  'media_produce',
  'media_close_producer',
  'media_resume_consumers',
  'media_view',
]);

/** Maximum consecutive refused frames before the socket is closed. */
const maxRefusedFrames = 200;

export interface FrameReceiver {
  /** Handles one client frame. Always replies with a frame; client input never causes an exception. */
  frame(connection: Connection, data: RawData, isBinary: boolean): Promise<void>;
  /** True if a protocol-level ping may be answered. Pings count like frames. */
  mayPing(connection: Connection, bytes: number): boolean;
}

export function createFrameReceiver(options: {
  context: EventContext;
  sending: FrameSender;
  budget: FrameBudget;
  metrics: GatewayMetrics;
  log: Log;
}): FrameReceiver {
  const { context, sending, budget, metrics, log } = options;

  const refuse = (connection: Connection, id: string | undefined, { code, message, retryAfterMs }: AppError) => {
    sending.send(connection, {
      type: 'error',
      ...(id === undefined ? {} : { id }),
      data: { code, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }) },
    });
  };

  /** Returns false if the frame must be dropped. */
  const afford = (connection: Connection, id: string | undefined, overspent: ExceededBudget | undefined): boolean => {
    if (!overspent) return true;
    const { budget: limit, waitMs } = overspent;
    connection.refused += 1;
    metrics.framesIn.inc({ type: 'refused' });
    metrics.rateLimited.inc({ limit });
    if (connection.refused > maxRefusedFrames) {
      connection.ready = false;
      connection.close(closeCodes.misbehaved, 'too many frames');
    } else {
      const words = limit === 'socketFrames' ? 'Too many frames.' : 'Too much data at once.';
      refuse(
        connection,
        id,
        createGatewayError('rate_limited', 'rate_limited', words, undefined, { retryAfterMs: waitMs }),
      );
    }
    return false;
  };

  const run = async <N extends ClientEventName>(connection: Connection, name: N, input: unknown) => {
    const issues: InputIssue[] = [];
    const data = parseSection(clientEvents[name], 'body', input, issues);
    if (issues.length > 0) throw createInvalidInputError(issues);
    return handlers[name](connection, data as Parameters<EventHandler<N>>[1], context);
  };

  /** Starts a trace for each frame that calls a service. Pings call none. */
  const runTraced = async (connection: Connection, name: ClientEventName, input: unknown) => {
    const span = name === 'ping' ? undefined : startTrace(`frame ${name}`, { attributes: { 'nolo.frame.type': name } });
    try {
      return await withCurrentSpan(span, () => run(connection, name, input));
    } catch (error) {
      span?.fail(errorTypeOf(error));
      throw error;
    } finally {
      span?.end();
    }
  };

  const frame = async (connection: Connection, data: RawData, isBinary: boolean) => {
    if (connection.readyState !== connection.OPEN) return;
    connection.missedPings = 0;
    // Counts bytes: ws passes text as a buffer too.
    const bytes = Buffer.isBuffer(data) ? data.length : 0;
    const overspent = budget.takeFrame(connection, bytes);
    if (overspent) {
      const { id, type } = peekFrame(data);
      // Frames that may turn something off are read even when over the limit.
      if (!mayBeTurnOffEvent(type, bytes) && !afford(connection, id, overspent)) return;
    }
    let envelope: FrameEnvelope | undefined;
    try {
      const read = readFrame(data, isBinary);
      envelope = read;
      if (!isEventName(read.type)) {
        throw createGatewayError('invalid', 'event_unknown', 'Unknown event type.');
      }
      const cost = clientEventLimits[read.type].cost + Math.floor(read.entries / socketLimits.entriesPerCost);
      if (!(isTurnOffEvent(read.type, read.data) && budget.takeEnding(connection))) {
        if (!afford(connection, read.id, overspent ?? budget.takeCost(connection, cost))) return;
      }
      if (connection.tokens > 1) connection.refused = 0;
      metrics.framesIn.inc({ type: read.type });
      if (connection.guest && !forGuests.has(read.type)) {
        throw createGatewayError('forbidden', 'guest_refused', 'This requires an account.');
      }
      const ack = await runTraced(connection, read.type, read.data);
      // Requests get a response. A ping always gets one, because it has no other purpose.
      if (read.id !== undefined || read.type === 'ping') {
        sending.send(connection, {
          type: 'ack',
          ...(read.id === undefined ? {} : { id: read.id }),
          data: ack,
        });
      }
    } catch (thrown) {
      const error = toClientError(thrown);
      if (envelope === undefined || !isEventName(envelope.type)) metrics.framesIn.inc({ type: 'invalid' });
      countRateLimited(metrics, error);
      logError(error, thrown, log);
      refuse(connection, envelope?.id ?? peekFrame(data).id, error);
      if (error.code === 'wrong_user') connection.close(closeCodes.wrongUser, 'wrong user');
    }
  };

  return {
    frame,
    mayPing: (connection, bytes) => afford(connection, undefined, budget.takeFrame(connection, bytes)),
  };
}
