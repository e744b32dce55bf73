import { closeCodes, type ServerFrame } from '@nolo/api';
import type { GatewayMetrics } from '../http/metrics.ts';
import type { Connection } from './Connection.ts';
import { frameText, writeFramed, type FramedText } from './framing.ts';

/** Maximum unread bytes before a socket is closed. The client reconnects and catches up from the database. */
const maxBufferedBytes = 1_048_576;

/** Chooses between frames of one type by the kind of client. */
export type FrameChoice = (connection: Connection) => FramedText;

export interface FrameSender {
  /** Sends a frame to one socket. */
  send(connection: Connection, frame: ServerFrame): void;
  /**
   * Writes a prebuilt frame, or the one chosen for each socket, to many sockets and returns how many got it. Skips
   * sockets before their `hello`: they fetch everything since then.
   */
  broadcast(connections: Iterable<Connection>, framed: FramedText | FrameChoice): number;
  frame<F extends ServerFrame>(type: F['type'], data: F['data']): FramedText;
}

export function createFrameSender(metrics: GatewayMetrics): FrameSender {
  /** True if the socket accepts more data. A socket that does not read is closed rather than buffered for. */
  const takesMore = (connection: Connection): boolean => {
    if (connection.readyState !== connection.OPEN) return false;
    if (connection.bufferedAmount <= maxBufferedBytes) return true;
    connection.ready = false;
    metrics.resyncs.inc({ reason: 'too_slow' });
    connection.close(closeCodes.tooSlow, 'too slow');
    return false;
  };

  return {
    send(connection, frame) {
      if (!takesMore(connection)) return;
      connection.send(JSON.stringify(frame));
      metrics.framesOut.inc({ type: frame.type });
    },
    broadcast(connections, framed) {
      let written = 0;
      let type = '';
      for (const connection of connections) {
        if (!connection.ready || !takesMore(connection)) continue;
        const chosen = typeof framed === 'function' ? framed(connection) : framed;
        ({ type } = chosen);
        writeFramed(connection, chosen);
        written += 1;
      }
      if (written > 0) metrics.framesOut.inc({ type }, written);
      return written;
    },
    frame: (type, data) => frameText(type, data),
  };
}
