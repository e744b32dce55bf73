import type { ServerFrame } from '@nolo/api';
import type { OpenSocket } from '@nolo/client/ports';
import { takeEarlySocket } from './earlySocket.ts';

/** Opens `/ws`, or continues with the socket that was opened before this code was loaded. */
export const openSocket: OpenSocket = ({ onFrame, onClose }) => {
  const { socket, earlyMessages } = takeEarlySocket();
  const handleMessage = ({ data }: MessageEvent): void => {
    // The frames come from our own gateway, which checks them against the same contract in its tests.
    if (typeof data === 'string') onFrame(JSON.parse(data) as ServerFrame);
  };
  socket.onclose = ({ code }) => onClose(code);
  const startHandling = (): void => {
    socket.onmessage = handleMessage;
    earlyMessages.forEach(handleMessage);
  };
  // The caller has the socket by then. Early messages are handled in a task of their own, because the whole app starts
  // in this one; messages arriving until then join them.
  if (earlyMessages.length > 0) setTimeout(startHandling);
  else startHandling();
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
};
