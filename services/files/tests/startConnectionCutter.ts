import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a proxy to a server that cuts every response after this many bytes. */
export async function startConnectionCutter(endpoint: string, bytes: number) {
  const { hostname, port } = new URL(endpoint);
  let cuts = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      let passed = 0;
      answer.on('data', (chunk: Buffer) => {
        passed += chunk.length;
        outgoing.write(chunk);
        if (passed < bytes || outgoing.destroyed) return;
        cuts += 1;
        // Written data is still sent.
        outgoing.socket?.destroySoon();
        answer.destroy();
      });
      answer.on('end', () => outgoing.end());
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint: address,
    cuts: () => cuts,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
