import type { ServerFrame } from '@nolo/api';
import type { OpenSocket } from './ports.ts';
import { takeSocket } from './earlySocket.ts';

/** Opens `/ws`, or goes on with the one that was opened before this code was here. */
export const openSocket: OpenSocket = ({ onFrame, onClose }) => {
  const { socket, said } = takeSocket();
  const hear = ({ data }: MessageEvent): void => {
    // The frames come from our own gateway, which checks them against the same contract in its tests.
    if (typeof data === 'string') onFrame(JSON.parse(data) as ServerFrame);
  };
  socket.onmessage = hear;
  socket.onclose = ({ code }) => onClose(code);
  // By then whoever opens it has it in hand; what comes over the line from now on comes later still.
  queueMicrotask(() => said.forEach(hear));
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
};
