import type { Socket } from 'node:net';
import * as ws from 'ws';
import type { Connection } from './Connection.ts';

/**
 * Builds each frame once and writes the same bytes to every socket (design section 2). `ws` exposes `Sender.frame` for
 * this, but its own `send` builds a new frame for each socket. Therefore this file, and only this one, uses internals
 * of ws:
 *
 * - `Sender.frame` is exported by ws 8 but missing from its types.
 * - `_socket` is the TCP socket and `_sender` is what ws itself writes through. Bypassing `_sender` is safe only while
 *   it is idle: nothing queued, no compression or blob read in progress (`_state`), and no fragmented message started
 *   (`_firstFragment`). The server neither compresses nor fragments, so this always holds. If a version of ws differs,
 *   `send` takes over and only speed is lost.
 */
interface Sender {
  _state?: number;
  _queue?: unknown[];
  _firstFragment?: boolean;
}

interface Inside {
  _socket?: Socket | null;
  _sender?: Sender | null;
}

const { Sender: senderClass } = ws as unknown as {
  Sender: { frame(data: Buffer, options: Record<string, unknown>): Buffer[] };
};

const idle = 0;

/** Text frame as sent over the wire. */
export interface FramedText {
  readonly type: string;
  readonly wire: Buffer;
  /** Message part of `wire`. */
  readonly text: Buffer;
}

function frame(payload: Buffer, opcode: number): Buffer {
  // A single buffer needs one write and one packet, while a separate header and payload would need two.
  return Buffer.concat(senderClass.frame(payload, { fin: true, opcode, mask: false, readOnly: true, rsv1: false }));
}

export function frameText(type: string, data: unknown): FramedText {
  const text = Buffer.from(JSON.stringify({ type, data }));
  const wire = frame(text, 0x1);
  return { type, wire, text: wire.subarray(wire.length - text.length) };
}

export const pingFrame = frame(Buffer.alloc(0), 0x9);

function writableSocket(connection: Connection): Socket | undefined {
  const { _socket: socket, _sender: sender } = connection as unknown as Inside;
  if (!socket || !sender) return undefined;
  const quiet = sender._state === idle && sender._queue?.length === 0 && sender._firstFragment === true;
  return quiet && socket.writable ? socket : undefined;
}

const corked = new Set<Socket>();

function uncorkAll(): void {
  for (const socket of corked) socket.uncork();
  corked.clear();
}

/** Combines writes to a socket into one system call, because the bus delivers several messages at a time. */
function writeTogether(socket: Socket, bytes: Buffer): void {
  if (corked.size === 0) process.nextTick(uncorkAll);
  if (!corked.has(socket)) {
    corked.add(socket);
    socket.cork();
  }
  socket.write(bytes);
}

/** Writes a prebuilt frame. The caller checks back-pressure. Skips sockets that are not open. */
export function writeFramed(connection: Connection, framed: FramedText): void {
  if (connection.readyState !== connection.OPEN) return;
  const socket = writableSocket(connection);
  if (socket) writeTogether(socket, framed.wire);
  else connection.send(framed.text, { binary: false });
}

export function writePing(connection: Connection): void {
  if (connection.readyState !== connection.OPEN) return;
  const socket = writableSocket(connection);
  if (socket) socket.write(pingFrame);
  else connection.ping();
}
