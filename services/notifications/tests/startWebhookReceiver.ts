import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Starts a user's server that records requests and responds as the test specifies. */
export async function startWebhookReceiver() {
  const received: ReceivedRequest[] = [];
  const answers = {
    status: 204,
    headers: {} as Record<string, string>,
    /** Delays responses until it resolves. */
    gate: undefined as Promise<void> | undefined,
  };
  const underWay = { now: 0, peak: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
      underWay.now += 1;
      underWay.peak = Math.max(underWay.peak, underWay.now);
      void Promise.resolve(answers.gate).then(() => {
        underWay.now -= 1;
        response.writeHead(answers.status, answers.headers).end();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answers,
    underWay,
    /** Returns the headers in the form that the library verifies. */
    signed: ({ headers }: ReceivedRequest) =>
      Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
      ),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
