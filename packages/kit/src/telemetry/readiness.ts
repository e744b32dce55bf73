import { Gauge, type Registry } from 'prom-client';
import type { Log } from './log.ts';
import { promiseWithTimeout, sampleOnScrape } from './scrape.ts';

export interface ReadinessCheck {
  ok: boolean;
  detail?: string;
  /** Reported and measured like the others, but the service works without it. */
  optional?: boolean;
  /**
   * Dependency local to the process, which no other replica shares: without it, the process must receive no requests,
   * both at startup and later.
   */
  own?: boolean;
}

export type ReadinessChecks = Readonly<Record<string, ReadinessCheck>>;

export interface ReadinessOptions {
  /** Checks each dependency of the service. A rejection, or more than 3 s, counts as no answer. */
  check: () => Promise<ReadinessChecks>;
  /** True while the process is stopping and must receive no requests. */
  isLeaving: () => boolean;
  registry: Registry;
  log: Log;
}

export interface Readiness {
  /** Answer for /readyz. */
  answer(): Promise<{ ready: boolean; checks: ReadinessChecks }>;
}

/** Timeouts: of all checks together, and of each check in checkAll, which is shorter so that it can be reported. */
const readyTimeoutMs = 3_000;
const checkTimeoutMs = 2_500;

/** Maximum wait of a probe for a new answer, once the process is ready. */
const probeWaitMs = 1_000;

/** Lifetime of an answer. Short until the process is ready, so that startup takes no longer than necessary. */
const freshMs = 3_000;
const startingFreshMs = 250;

/** Implements `check`: runs all checks at once, so that one that does not answer does not hide the others. */
export async function checkAll(
  asks: Readonly<Record<string, () => Promise<ReadinessCheck> | ReadinessCheck>>,
): Promise<Record<string, ReadinessCheck>> {
  const one = async (check: () => Promise<ReadinessCheck> | ReadinessCheck): Promise<ReadinessCheck> => {
    try {
      return await promiseWithTimeout(Promise.resolve(check()), checkTimeoutMs);
    } catch (error) {
      return { ok: false, detail: error instanceof Error ? error.message : 'failed' };
    }
  };
  const entries = Object.entries(asks).map(async ([name, check]) => [name, await one(check)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Creates the readiness of this process for requests. It is ready once every required dependency has answered, and
 * stays ready until it stops: a shared dependency would make all replicas unready at once, and a refusal with a reason
 * is better than a failed connection. Later failures appear in `nolo_dependency_up` and in one log line.
 */
export function createReadiness({ check, isLeaving, registry, log }: ReadinessOptions): Readiness {
  const reached = new Set<string>();
  const failing = new Set<string>();
  const known = new Set<string>();
  let isReady = false;
  let isWhole = true;

  const recordChecks = (checks: ReadinessChecks) => {
    for (const [dependency, { ok, detail }] of Object.entries(checks)) {
      known.add(dependency);
      if (ok) {
        reached.add(dependency);
        if (failing.delete(dependency)) log.info({ dependency }, 'dependency recovered');
      } else if (reached.has(dependency) && !failing.has(dependency)) {
        failing.add(dependency);
        log.warn({ dependency, detail }, 'dependency not responding; refusing requests that need it');
      }
    }
  };

  const runAllChecks = async (): Promise<ReadinessChecks> => {
    try {
      const checks = await promiseWithTimeout(check(), readyTimeoutMs);
      recordChecks(checks);
      isReady ||= Object.entries(checks).every(([name, { optional }]) => optional === true || reached.has(name));
      isWhole = Object.values(checks).every(({ ok, own }) => ok || own !== true);
      return checks;
    } catch (error) {
      const detail = error instanceof Error ? error.message : 'failed';
      recordChecks(Object.fromEntries([...known].map((dependency) => [dependency, { ok: false, detail }])));
      return { ready: { ok: false, detail } };
    }
  };
  const latest = sampleOnScrape(runAllChecks, {
    freshMs: () => (isReady ? freshMs : startingFreshMs),
    maxStaleMs: Number.POSITIVE_INFINITY,
  });

  const up = new Gauge({
    name: 'nolo_dependency_up',
    help: 'State of each dependency of the service: 1 if it responds, otherwise 0.',
    labelNames: ['dependency'],
    registers: [registry],
    // If nothing is known, dependencies that were up count as down.
    async collect() {
      // Dependencies that are released during a stop are not down.
      if (isLeaving()) return;
      const checks = (await latest()) ?? {};
      for (const dependency of known) up.set({ dependency }, checks[dependency]?.ok === true ? 1 : 0);
    },
  });

  return {
    async answer() {
      if (isLeaving()) return { ready: false, checks: { process: { ok: false, detail: 'stopping' } } };
      // A process that is not ready yet becomes so only through this query, so it waits for the full timeout.
      const checks = (await latest(isReady ? probeWaitMs : readyTimeoutMs + 500)) ?? {};
      return { ready: isReady && isWhole, checks };
    },
  };
}
