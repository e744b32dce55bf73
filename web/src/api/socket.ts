import type { ServerFrame } from '@nolo/api';
import type { OpenSocket } from './ports.ts';
import { takeSocket } from './earlySocket.ts';

/** Opens `/ws`, or continues with the socket that was opened before this code was loaded. */
export const openSocket: OpenSocket = ({ onFrame, onClose }) => {
  const { socket, said } = takeSocket();
  const hear = ({ data }: MessageEvent): void => {
    // The frames come from our own gateway, which checks them against the same contract in its tests.
    if (typeof data === 'string') onFrame(JSON.parse(data) as ServerFrame);
  };
  socket.onclose = ({ code }) => onClose(code);
  const hearAll = (): void => {
    socket.onmessage = hear;
    said.forEach(hear);
  };
  // The caller has the socket by then. Early messages are handled in a task of their own, because the whole app starts
  // in this one; messages arriving until then join them.
  if (said.length > 0) setTimeout(hearAll);
  else hearAll();
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
};
