import { WebSocket } from 'ws';
import type { Json } from './json.ts';

export interface DialOptions {
  /** A browser sends one, other clients do not. */
  origin?: string | undefined;
  headers?: Record<string, string> | undefined;
  localAddress?: string | undefined;
  /** Whoever has not answered the upgrade by then does not. */
  withinMs?: number | undefined;
  /** Hears every frame from the first on. */
  onFrame?: ((frame: Json) => void) | undefined;
  /** Hears with which status the upgrade was refused; the socket closes then. */
  onRefused?: ((status: number) => void) | undefined;
}

/** Opens a socket at a gateway, which says by closing that it could not. */
export function dial(address: string, token: string | undefined, options: DialOptions = {}): WebSocket {
  const { origin, headers, localAddress, withinMs, onFrame, onRefused } = options;
  const url = new URL('/ws', address.replace(/^http/, 'ws'));
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
    ...(origin !== undefined && { origin }),
    ...(localAddress !== undefined && { localAddress }),
    ...(withinMs !== undefined && { handshakeTimeout: withinMs }),
  });
  socket.on('error', () => undefined);
  if (onFrame) socket.on('message', (raw: Buffer) => onFrame(JSON.parse(raw.toString())));
  if (onRefused) {
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      onRefused(response.statusCode ?? 0);
      socket.terminate();
    });
  }
  return socket;
}

/** Waits for the greeting, from which on a socket can be found. @throws Error where there is none. */
export async function greeted(socket: WebSocket): Promise<WebSocket> {
  await new Promise<void>((resolve, reject) => {
    socket.once('message', () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The socket closed before it was greeted.')));
  });
  return socket;
}
