import { connect, createServer } from 'node:net';

const handedOut = new Set<number>();

/**
 * A free TCP port on 127.0.0.1. It lies below the range from which the kernel takes the ports of
 * outgoing connections: otherwise, while a server is being restarted, a client that tries to
 * reconnect could be given the server's own port, or even connect to itself.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (handedOut.has(port) || !(await canListen(port, '127.0.0.1'))) continue;
    handedOut.add(port);
    return port;
  }
  throw new Error('No free port was found between 20000 and 32000.');
}

/** Whether a server could listen there right now. */
export async function canListen(port: number, host: string): Promise<boolean> {
  return (await listenError(port, host)) === undefined;
}

/** The reason why a server cannot listen there (EADDRINUSE, EACCES, ...), or undefined. */
export async function listenError(port: number, host: string): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? error.message);
    });
    server.listen({ port, host, exclusive: true }, () => {
      server.close(() => {
        resolve(undefined);
      });
    });
  });
}

/** Whether somebody takes connections there. */
export async function answers(host: string, port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5000 });
    const end = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', end(true));
    socket.once('timeout', end(false));
    socket.once('error', end(false));
  });
}
