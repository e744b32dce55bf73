import { clientEvents, clientFrame, closeCodes, type ClientEventName } from '@nolo/api';
import type { AppError } from '@nolo/kit/errors';
import type { Log } from '@nolo/kit/log';
import { errorType, startTrace, within } from '@nolo/kit/tracing';
import type { RawData } from 'ws';
import { takeToken } from '../domain/tokenBucket.ts';
import { failGateway } from '../errors.ts';
import { logError, toAppError } from '../http/errorReply.ts';
import { countRefusal, type EdgeMetrics } from '../http/metrics.ts';
import { invalidInput, parsePart, type InputIssue } from '../http/validate.ts';
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
import { ping } from './events/ping.ts';
import { typingStart } from './events/typingStart.ts';
import { typingStop } from './events/typingStop.ts';
import type { Sending } from './send.ts';

const handlers: { readonly [N in ClientEventName]: EventHandler<N> } = {
  authenticate,
  join_conversation: joinConversation,
  leave_conversation: leaveConversation,
  join_group_chat: joinGroupChat,
  leave_group_chat: leaveGroupChat,
  group_chat_message: groupChatMessage,
  typing_start: typingStart,
  typing_stop: typingStop,
  ping,
  join_meeting: joinMeeting,
  leave_meeting: leaveMeeting,
  meeting_audio_toggle: toggles.meetingAudioToggle,
  meeting_video_toggle: toggles.meetingVideoToggle,
  meeting_screenshare_toggle: toggles.meetingScreenshareToggle,
  meeting_hand_toggle: toggles.meetingHandToggle,
  meeting_reaction: meetingReaction,
  meeting_recording_toggle: meetingRecordingToggle,
  sfu_connection_update: sfuConnectionUpdate,
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

/** All that somebody without an account may do. */
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

/** Frames refused for coming too fast, without a pause, before the socket is closed. */
const mostRefused = 200;

interface Envelope {
  type: string;
  id: string | undefined;
  data: unknown;
}

const malformed = () =>
  failGateway('invalid', 'frame_malformed', 'A frame is JSON text of the form {"type","id","data"}.');

function readEnvelope(data: RawData, isBinary: boolean): Envelope {
  if (isBinary || !Buffer.isBuffer(data)) throw malformed();
  let parsed: unknown;
  try {
    parsed = JSON.parse(data.toString('utf8'));
  } catch {
    throw malformed();
  }
  const frame = clientFrame.safeParse(parsed);
  if (!frame.success) throw malformed();
  return { type: frame.data.type, id: frame.data.id, data: frame.data.data ?? {} };
}

function isEventName(type: string): type is ClientEventName {
  return Object.hasOwn(clientEvents, type);
}

export type Receive = (connection: Connection, data: RawData, isBinary: boolean) => Promise<void>;

/** Takes one frame of a client. Whatever it holds, the answer is a frame; nothing that a client sends is an exception. */
export function createReceive(options: {
  context: EventContext;
  sending: Sending;
  metrics: EdgeMetrics;
  log: Log;
}): Receive {
  const { context, sending, metrics, log } = options;

  const refuse = (connection: Connection, id: string | undefined, { code, message, retryAfterMs }: AppError) => {
    sending.send(connection, {
      type: 'error',
      ...(id === undefined ? {} : { id }),
      data: { code, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }) },
    });
  };

  /** Answers false where the frame is to be dropped. */
  const withinRate = (connection: Connection): boolean => {
    const waitMs = takeToken(connection, performance.now());
    if (waitMs === 0) {
      if (connection.tokens > 1) connection.refused = 0;
      return true;
    }
    connection.refused += 1;
    metrics.framesIn.inc({ type: 'refused' });
    metrics.rateLimited.inc({ limit: 'socketFrames' });
    if (connection.refused > mostRefused) {
      connection.ready = false;
      connection.close(closeCodes.misbehaved, 'too many frames');
    } else {
      refuse(
        connection,
        undefined,
        failGateway('rate_limited', 'rate_limited', 'Too many frames.', undefined, { retryAfterMs: waitMs }),
      );
    }
    return false;
  };

  const run = async <N extends ClientEventName>(connection: Connection, name: N, input: unknown) => {
    const issues: InputIssue[] = [];
    const data = parsePart(clientEvents[name], 'body', input, issues);
    if (issues.length > 0) throw invalidInput(issues);
    return handlers[name](connection, data as Parameters<EventHandler<N>>[1], context);
  };

  /** Each frame that asks something of a service is a trace of its own; a ping asks nothing. */
  const runTraced = async (connection: Connection, name: ClientEventName, input: unknown) => {
    const span = name === 'ping' ? undefined : startTrace(`frame ${name}`, { attributes: { 'nolo.frame.type': name } });
    try {
      return await within(span, () => run(connection, name, input));
    } catch (error) {
      span?.fail(errorType(error));
      throw error;
    } finally {
      span?.end();
    }
  };

  return async (connection, data, isBinary) => {
    if (connection.readyState !== connection.OPEN) return;
    connection.missedPings = 0;
    if (!withinRate(connection)) return;
    let envelope: Envelope | undefined;
    try {
      envelope = readEnvelope(data, isBinary);
      if (!isEventName(envelope.type)) {
        throw failGateway('invalid', 'event_unknown', 'There is no event of this type.');
      }
      metrics.framesIn.inc({ type: envelope.type });
      if (connection.guest && !forGuests.has(envelope.type)) {
        throw failGateway('forbidden', 'guest_refused', 'This needs an account.');
      }
      const ack = await runTraced(connection, envelope.type, envelope.data);
      // Only a request is answered, except for ping, which is nothing but its answer.
      if (envelope.id !== undefined || envelope.type === 'ping') {
        sending.send(connection, {
          type: 'ack',
          ...(envelope.id === undefined ? {} : { id: envelope.id }),
          data: ack,
        });
      }
    } catch (thrown) {
      const error = toAppError(thrown);
      if (envelope === undefined || !isEventName(envelope.type)) metrics.framesIn.inc({ type: 'invalid' });
      countRefusal(metrics, error);
      logError(error, thrown, log);
      refuse(connection, envelope?.id, error);
      if (error.code === 'wrong_user') connection.close(closeCodes.wrongUser, 'wrong user');
    }
  };
}
