import type { ServerFrame } from '@nolo/api';
import type { OpenSocket } from './ports.ts';

/** Opens `/ws` at our own origin; the session cookie says who we are (decision 3). */
export const openSocket: OpenSocket = ({ onFrame, onClose }) => {
  const url = new URL('/ws', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url);
  socket.addEventListener('message', (event) => {
    // The frames come from our own gateway, which checks them against the same contract in its tests.
    if (typeof event.data === 'string') onFrame(JSON.parse(event.data) as ServerFrame);
  });
  socket.addEventListener('close', (event) => onClose(event.code));
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
};
