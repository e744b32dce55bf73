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
  socket.onclose = ({ code }) => onClose(code);
  const hearAll = (): void => {
    socket.onmessage = hear;
    said.forEach(hear);
  };
  // By then whoever opens it has it in hand. What was said early is heard in a turn of its own, for the whole app begins in
  // this one; until then what comes is said as well.
  if (said.length > 0) setTimeout(hearAll);
  else hearAll();
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
};
