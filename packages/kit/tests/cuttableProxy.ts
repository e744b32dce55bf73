import { connect, createServer, type Socket } from 'node:net';

/**
 * Connection between a client and a server that a test can cut and repair: an outage from the client's view, without
 * touching a server that other tests share.
 */
export interface CuttableProxy {
  /** Given address with the connection's port in place of its own. */
  url: string;
  /** Ends all connections and accepts no new ones. */
  cut(): Promise<void>;
  /** Swallows all data and stays open, like a frozen server. */
  freeze(): void;
  mend(): Promise<void>;
  close(): Promise<void>;
}

export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const to = new URL(target);
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((inward) => {
    const outward = connect(Number(to.port), to.hostname);
    for (const [from, into] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (!frozen) into.write(chunk);
      });
      from.on('error', () => into.destroy());
      from.on('close', () => {
        sockets.delete(from);
        into.destroy();
      });
    }
  });
  const open = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const port = await open(0);
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    cut,
    freeze: () => void (frozen = true),
    mend: async () => {
      frozen = false;
      if (!server.listening) await open(port);
    },
    close: cut,
  };
}
