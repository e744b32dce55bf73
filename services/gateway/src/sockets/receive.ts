import { clientEvents, clientFrame, closeCodes, type ClientEventName } from '@nolo/api';
import type { AppError } from '@nolo/kit/errors';
import type { Log } from '@nolo/kit/log';
import type { RawData } from 'ws';
import { takeToken } from '../domain/tokenBucket.ts';
import { failGateway } from '../errors.ts';
import { logError, toAppError } from '../http/errorReply.ts';
import type { EdgeMetrics } from '../http/metrics.ts';
import { invalidInput, parsePart, type InputIssue } from '../http/validate.ts';
import type { Connection } from './Connection.ts';
import { authenticate } from './events/authenticate.ts';
import type { EventContext, EventHandler } from './events/event.ts';
import { joinConversation } from './events/joinConversation.ts';
import { leaveConversation } from './events/leaveConversation.ts';
import { ping } from './events/ping.ts';
import { typingStart } from './events/typingStart.ts';
import { typingStop } from './events/typingStop.ts';
import type { Sending } from './send.ts';

const handlers: { readonly [N in ClientEventName]: EventHandler<N> } = {
  authenticate,
  join_conversation: joinConversation,
  leave_conversation: leaveConversation,
  typing_start: typingStart,
  typing_stop: typingStop,
  ping,
};

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
      const ack = await run(connection, envelope.type, envelope.data);
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
      logError(error, thrown, log);
      refuse(connection, envelope?.id, error);
      if (error.code === 'wrong_user') connection.close(closeCodes.wrongUser, 'wrong user');
    }
  };
}
