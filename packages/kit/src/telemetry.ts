import { createServer } from 'node:http';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { build } from './build.ts';
import type { Listen } from './config.ts';
import { never, watchLoopDelay } from './loopDelay.ts';
import { answerWithin, remembered } from './scrape.ts';

export { askedAtScrape } from './scrape.ts';
export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A registry of the process's own, with Node's standard metrics, labelled with the service. */
export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: never });
  watchLoopDelay(registry);
  new Gauge({
    name: 'nolo_build_info',
    help: 'Always 1; the label tells which version runs.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: build.version }, 1);
  return registry;
}

export interface Check {
  ok: boolean;
  detail?: string;
  /** Told and measured like the others, but the service does its work without it. */
  optional?: boolean;
}

export interface ServeMetricsOptions {
  listen: Listen;
  registry: Registry;
  /** Asks each thing the service depends on. Rejecting, or taking over 3 s, counts as not ready. */
  ready: () => Promise<Record<string, Check>>;
}

/** Of all checks together, and of each of checkAll's, which is told apart before that. */
const readyTimeoutMs = 3000;
const checkTimeoutMs = 2500;

/** How long an answer serves the next scrape, so that several Prometheus servers cost no more than one. */
const scrapeFreshMs = 3000;

async function askReady(ready: ServeMetricsOptions['ready']): Promise<Record<string, Check>> {
  try {
    return await answerWithin(ready(), readyTimeoutMs);
  } catch (error) {
    return { ready: { ok: false, detail: error instanceof Error ? error.message : 'failed' } };
  }
}

/** For `ready`: asks everything at once, and one that does not answer does not hide the others' answers. */
export async function checkAll(
  asks: Readonly<Record<string, () => Promise<Check> | Check>>,
): Promise<Record<string, Check>> {
  const one = async (ask: () => Promise<Check> | Check): Promise<Check> => {
    try {
      return await answerWithin(Promise.resolve(ask()), checkTimeoutMs);
    } catch (error) {
      return { ok: false, detail: error instanceof Error ? error.message : 'failed' };
    }
  };
  const entries = Object.entries(asks).map(async ([name, ask]) => [name, await one(ask)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** `nolo_dependency_up`, asked when Prometheus asks. What was up once is down where nothing can be said. */
function watchDependencies({ registry, ready }: ServeMetricsOptions): void {
  const ask = remembered(scrapeFreshMs, () => askReady(ready));
  const known = new Set<string>();
  const up = new Gauge({
    name: 'nolo_dependency_up',
    help: 'Whether what the service depends on answers: 1 or 0.',
    labelNames: ['dependency'],
    registers: [registry],
    async collect() {
      const checks = await ask();
      for (const name of Object.keys(checks)) if (name !== 'ready') known.add(name);
      for (const dependency of known) up.set({ dependency }, checks[dependency]?.ok === true ? 1 : 0);
    },
  });
}

/**
 * The small HTTP server for whoever watches over the process: /metrics for Prometheus, /livez
 * (which depends on nothing outside, or an outage of the database would restart every service) and
 * /readyz with one line per dependency.
 */
export async function serveMetrics(options: ServeMetricsOptions): Promise<{ port: number; stop: () => Promise<void> }> {
  watchDependencies(options);
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
        const ready = Object.values(checks).every(({ ok, optional }) => ok || optional === true);
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
