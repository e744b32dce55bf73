import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Drain {
  readonly draining: boolean;
  /**
   * Every answer from now on ends its connection, so that whoever is in front opens the next one elsewhere. Requests are
   * still answered: load balancers need a moment to notice.
   */
  begin(): void;
  /** Takes no more connections and returns once no request is under way, and after `timeoutMs` in any case. */
  finish(timeoutMs: number): Promise<void>;
}

const sweepMs = 50;

export function createDrain(server: Server): Drain {
  const connections = new Set<Socket>();
  let draining = false;
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (_request, response) => {
    if (draining) response.shouldKeepAlive = false;
  });

  return {
    get draining() {
      return draining;
    },
    begin() {
      draining = true;
    },
    async finish(timeoutMs) {
      draining = true;
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      const sweep = () => {
        server.closeIdleConnections();
        // Node takes a connection that has not asked for anything yet for one that is in the middle of it. Browsers open
        // such ones in advance.
        for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
      };
      sweep();
      const sweeping = setInterval(sweep, sweepMs);
      const timeout = setTimeout(() => {
        for (const connection of connections) connection.destroy();
      }, timeoutMs);
      await closed;
      clearInterval(sweeping);
      clearTimeout(timeout);
    },
  };
}
