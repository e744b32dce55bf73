import { WebSocket } from 'ws';
import type { Json } from './json.ts';

export interface GatewaySocketOptions {
  /** Origin header, which only browsers send. */
  origin?: string | undefined;
  headers?: Record<string, string> | undefined;
  localAddress?: string | undefined;
  /** Timeout of the upgrade. */
  withinMs?: number | undefined;
  /** Receives every frame from the first on. */
  onFrame?: ((frame: Json) => void) | undefined;
  /** Receives the status of a refused upgrade; the socket then closes. */
  onRefused?: ((status: number) => void) | undefined;
}

/** Opens a socket at a gateway. A failure closes the socket. */
export function openGatewaySocket(
  address: string,
  token: string | undefined,
  options: GatewaySocketOptions = {},
): WebSocket {
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

/** Waits for the greeting, after which other services can find the socket. @throws Error if none arrives. */
export async function waitForHello(socket: WebSocket): Promise<WebSocket> {
  await new Promise<void>((resolve, reject) => {
    socket.once('message', () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The socket closed before the greeting arrived.')));
  });
  return socket;
}
