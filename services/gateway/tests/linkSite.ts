import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Address that tests treat as public. All others stay as private as they are. */
export const publicAddress = '127.0.0.1';
export const privateAddress = '127.0.0.2';

export interface LinkSite {
  readonly port: number;
  readonly server: Server;
  /** Requests received. */
  readonly requests: IncomingMessage[];
  /** Returns the number of connections received, with or without a request. */
  connections(): number;
  /** Returns the number of connections still open. */
  open(): Promise<number>;
  stop(): Promise<void>;
}

export async function startLinkSite(listener: RequestListener, address = publicAddress, port = 0): Promise<LinkSite> {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(port, address);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    server,
    requests,
    connections: () => connections,
    open: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** One-pixel image. */
export const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
