import type { ServerFrame } from '@nolo/api';
import { dial, type GatewayClient } from '@nolo/testing';

const retryMs = 500;

/** Opens a socket that only listens, at any gateway that answers, until the signal ends it. */
export function keepSocketListening(options: {
  gatewayClients: readonly GatewayClient[];
  token: string;
  signal: AbortSignal;
  onFrame: (frame: ServerFrame) => void;
}): void {
  const { gatewayClients, token, signal, onFrame } = options;
  let tries = 0;
  const open = () => {
    if (signal.aborted) return;
    const gatewayClient = gatewayClients[tries++ % gatewayClients.length];
    const socket = dial(gatewayClient?.url ?? '', token, { withinMs: 3_000, onFrame });
    const end = () => socket.terminate();
    signal.addEventListener('abort', end, { once: true });
    socket.once('close', () => {
      signal.removeEventListener('abort', end);
      setTimeout(open, retryMs).unref();
    });
  };
  open();
}
