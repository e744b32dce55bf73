import { createServer } from 'node:http';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { buildInfo } from '../build.ts';
import type { HostPort } from '../config.ts';
import { maxTimerMs, watchLoopDelay } from './loopDelay.ts';
import type { Readiness } from './readiness.ts';

export type { ReadinessCheck as Check } from './readiness.ts';
export { sampleOnScrape } from './scrape.ts';
export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Creates a registry for the process, with Node's standard metrics, labeled with the service. */
export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: maxTimerMs });
  watchLoopDelay(registry);
  new Gauge({
    name: 'nolo_build_info',
    help: 'Always 1; the label holds the running version.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: buildInfo.version }, 1);
  return registry;
}

export interface ServeMetricsOptions {
  listen: HostPort;
  registry: Registry;
  readiness: Readiness;
}

/**
 * Starts the small HTTP server for monitoring: /metrics for Prometheus, /livez (which depends on nothing external;
 * otherwise a database outage would restart every service) and /readyz, which reports the last answer of each
 * dependency.
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
      void options.readiness
        .answer()
        .then((readinessReport) =>
          answer(readinessReport.ready ? 200 : 503, 'application/json', JSON.stringify(readinessReport)),
        );
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
