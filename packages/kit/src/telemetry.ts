import { createServer } from 'node:http';
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { Listen } from './config.ts';

export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A registry of the process's own, with Node's standard metrics, labelled with the service. */
export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}

export interface Check {
  ok: boolean;
  detail?: string;
}

export interface ServeMetricsOptions {
  listen: Listen;
  registry: Registry;
  /** Asks each thing the service depends on. Rejecting, or taking over 3 s, counts as not ready. */
  ready: () => Promise<Record<string, Check>>;
}

const readyTimeoutMs = 3000;

async function askReady(ready: ServeMetricsOptions['ready']): Promise<Record<string, Check>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Record<string, Check>>((resolve) => {
    timer = setTimeout(() => resolve({ ready: { ok: false, detail: 'no answer in time' } }), readyTimeoutMs);
  });
  try {
    return await Promise.race([ready(), late]);
  } catch (error) {
    return { ready: { ok: false, detail: error instanceof Error ? error.message : 'failed' } };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The small HTTP server for whoever watches over the process: /metrics for Prometheus, /livez
 * (which depends on nothing outside, or an outage of the database would restart every service) and
 * /readyz with one line per dependency.
 */
export async function serveMetrics(options: ServeMetricsOptions): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0];
    const answer = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(body);
    };
    if (path === '/livez') {
      answer(200, 'text/plain', 'ok\n');
    } else if (path === '/readyz') {
      void askReady(options.ready).then((checks) => {
        const ready = Object.values(checks).every((check) => check.ok);
        answer(ready ? 200 : 503, 'application/json', JSON.stringify({ ready, checks }));
      });
    } else if (path === '/metrics') {
      options.registry.metrics().then(
        (text) => answer(200, options.registry.contentType, text),
        () => answer(500, 'text/plain', 'metrics could not be collected\n'),
      );
    } else {
      answer(404, 'text/plain', 'not found\n');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.listen.port, options.listen.host, resolve);
  });
  const address = server.address();
  let stopping: Promise<void> | undefined;
  return {
    port: typeof address === 'object' && address ? address.port : options.listen.port,
    stop: () =>
      (stopping ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })),
  };
}
