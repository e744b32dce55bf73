import type { ServerFrame } from '@nolo/api';
import type { Socket, SocketHandlers } from '../ports.ts';

/** Opens a WebSocket at an address. */
export type ConnectSocket = (
  address: string,
  headers: Readonly<Record<string, string>>,
  handlers: SocketHandlers,
) => Socket;

/** False in browsers, which send their cookies and no other headers. */
const canSendHeaders = 'process' in globalThis;

/** Opens the platform's own WebSocket. */
export const connectWebSocket: ConnectSocket = (address, headers, { onFrame, onClose }) => {
  const socket = canSendHeaders ? new WebSocket(address, { headers: { ...headers } }) : new WebSocket(address);
  socket.onmessage = ({ data }: { data: unknown }) => {
    // The frames come from the gateway, which checks them against the same contract in its tests.
    if (typeof data === 'string') onFrame(JSON.parse(data) as ServerFrame);
  };
  socket.onclose = ({ code }) => onClose(code);
  // An error is followed by `close`. Without a listener, some platforms report it as uncaught.
  socket.onerror = () => undefined;
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
};
