import { once } from 'node:events';
import { get } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * Minimal version of a cluster's load balancer: distributes connections over the gateways that are ready, and tries the
 * next if one refuses.
 */
export interface Balancer {
  url: string;
  stop(): Promise<void>;
}

interface Backend {
  port: number;
  ready: boolean;
}

const checkEveryMs = 250;

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const healthRequest = get(
      { host: '127.0.0.1', port, path: '/healthz', agent: false, timeout: 2_000 },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.once('end', () => {
          // All gateways share their dependencies, so one that is late or down is no reason against a single gateway.
          resolve(!text.includes('"stopping"'));
        });
      },
    );
    healthRequest.once('timeout', () => healthRequest.destroy(new Error('no answer in time')));
    healthRequest.once('error', () => resolve(false));
  });
}

/** @param ready returns true if the server on a port accepts connections; called repeatedly. */
export async function startBalancer(urls: readonly string[], ready = isReady): Promise<Balancer> {
  const backends: Backend[] = urls.map((url) => ({ port: Number(new URL(url).port), ready: true }));
  const sockets = new Set<Socket>();
  let turn = 0;
  let stopped = false;

  const watch = async (backend: Backend) => {
    while (!stopped) {
      backend.ready = await ready(backend.port);
      await new Promise((resolve) => setTimeout(resolve, checkEveryMs).unref());
    }
  };
  for (const backend of backends) void watch(backend);

  const pass = (inward: Socket, candidates: readonly Backend[]) => {
    const [backend, ...others] = candidates;
    if (!backend) {
      inward.destroy();
      return;
    }
    const outward = connect(backend.port, '127.0.0.1');
    sockets.add(outward);
    const refused = () => {
      sockets.delete(outward);
      pass(inward, others);
    };
    outward.once('error', refused);
    outward.once('connect', () => {
      outward.off('error', refused);
      for (const [one, other] of [
        [inward, outward],
        [outward, inward],
      ] as const) {
        one.on('error', () => other.destroy());
        one.once('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      }
      inward.pipe(outward).pipe(inward);
    });
  };

  const server = createServer((inward) => {
    sockets.add(inward);
    inward.on('error', () => inward.destroy());
    turn += 1;
    const inTurn = backends.map((_, index) => backends[(turn + index) % backends.length] as Backend);
    pass(inward, [...inTurn.filter(({ ready }) => ready), ...inTurn.filter(({ ready }) => !ready)]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      stopped = true;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
