import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface GatewayDrain {
  readonly draining: boolean;
  /**
   * Closes the connection after every reply from now on, so that proxies open the next one to another replica. Requests
   * are still served because load balancers need a moment to notice.
   */
  begin(): void;
  /** Refuses new connections and resolves once no request is in progress, or after `timeoutMs`. */
  finish(timeoutMs: number): Promise<void>;
}

const sweepMs = 50;

export function createDrain(server: Server): GatewayDrain {
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
        // Node treats a connection without any request yet as active. Browsers open such connections in advance.
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
