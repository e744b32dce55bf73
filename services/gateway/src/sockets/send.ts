import { closeCodes, type ServerFrame } from '@nolo/api';
import type { EdgeMetrics } from '../http/metrics.ts';
import type { Connection } from './Connection.ts';
import { frameText, writeFramed, type Framed } from './framing.ts';

/** What a socket may leave unread before it is closed; it comes back and catches up from the database. */
export const mostBufferedBytes = 1_048_576;

export interface Sending {
  /** Answers or tells one socket. */
  send(connection: Connection, frame: ServerFrame): void;
  /**
   * Writes what was framed for many, and answers to how many. Sockets before their `hello` are passed over: they ask for
   * everything after it.
   */
  broadcast(connections: Iterable<Connection>, framed: Framed): number;
  frame<F extends ServerFrame>(type: F['type'], data: F['data']): Framed;
}

export function createSending(metrics: EdgeMetrics): Sending {
  /** Whether the socket takes more. One that does not read is given up rather than remembered for. */
  const takesMore = (connection: Connection): boolean => {
    if (connection.readyState !== connection.OPEN) return false;
    if (connection.bufferedAmount <= mostBufferedBytes) return true;
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
      for (const connection of connections) {
        if (!connection.ready || !takesMore(connection)) continue;
        writeFramed(connection, framed);
        written += 1;
      }
      if (written > 0) metrics.framesOut.inc({ type: framed.type }, written);
      return written;
    },
    frame: (type, data) => frameText(type, data),
  };
}
