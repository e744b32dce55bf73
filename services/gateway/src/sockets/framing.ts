import type { Socket } from 'node:net';
import * as ws from 'ws';
import type { Connection } from './Connection.ts';

/**
 * Frames are made once and the same bytes are written to every socket (design section 2). `ws` has the function for
 * it, `Sender.frame`, but its own `send` frames anew for each socket. So this file, and only this one, reaches into ws:
 *
 * - `Sender.frame` is exported by ws 8 and missing from its types.
 * - `_socket` is the TCP socket, `_sender` what ws itself writes through. Writing past `_sender` is right only while it
 *   has nothing of its own under way: nothing queued, no compression or blob being read (`_state`), and no fragmented
 *   message begun (`_firstFragment`). The server neither compresses nor fragments, so that is always; should a version
 *   of ws disagree, `send` takes over and nothing is lost but speed.
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

/** A text frame as it goes over the wire. */
export interface Framed {
  readonly type: string;
  readonly wire: Buffer;
  /** The part of `wire` that is the message. */
  readonly text: Buffer;
}

function frame(payload: Buffer, opcode: number): Buffer {
  // One buffer means one write and one packet, where header and payload apart would be two.
  return Buffer.concat(senderClass.frame(payload, { fin: true, opcode, mask: false, readOnly: true, rsv1: false }));
}

export function frameText(type: string, data: unknown): Framed {
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

/** Messages come off the bus several at a time: what they bring to one socket goes in one call of the system. */
function writeTogether(socket: Socket, bytes: Buffer): void {
  if (corked.size === 0) process.nextTick(uncorkAll);
  if (!corked.has(socket)) {
    corked.add(socket);
    socket.cork();
  }
  socket.write(bytes);
}

/** Writes a frame made before; the caller has looked at back-pressure. Sockets that are not open are passed over. */
export function writeFramed(connection: Connection, framed: Framed): void {
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
