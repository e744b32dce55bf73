import { Gauge, type Registry } from 'prom-client';
import type { Log } from './log.ts';
import { answerWithin, askedAtScrape } from './scrape.ts';

export interface Check {
  ok: boolean;
  detail?: string;
  /** Told and measured like the others, but the service does its work without it. */
  optional?: boolean;
  /** A part of the process itself, which no other replica shares: without it nobody is to be sent here, now as at the start. */
  own?: boolean;
}

export type Checks = Readonly<Record<string, Check>>;

export interface ReadinessOptions {
  /** Asks each thing the service depends on. Rejecting, or taking over 3 s, counts as an answer that nothing is there. */
  ask: () => Promise<Checks>;
  /** Whether the process is on its way out: then nobody is to be sent here. */
  isLeaving: () => boolean;
  registry: Registry;
  log: Log;
}

export interface Readiness {
  /** For /readyz. */
  answer(): Promise<{ ready: boolean; checks: Checks }>;
}

/** Of all checks together, and of each of checkAll's, which is told apart before that. */
const readyTimeoutMs = 3_000;
const checkTimeoutMs = 2_500;

/** How long a probe of a process that is ready waits for news. */
const probeWaitMs = 1_000;

/** How long an answer serves those who ask: until the process is ready a short while, so that nobody waits longer than it takes. */
const freshMs = 3_000;
const startingFreshMs = 250;

/** For `ask`: asks everything at once, and one that does not answer does not hide the others' answers. */
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

/**
 * Whether requests are to be sent to this process. It is ready once everything that it needs was there, and stays so until
 * it leaves: what all replicas share would make all of them unready at once, and a request that is refused with a reason is
 * better than a connection that nobody takes. What fails later is told by `nolo_dependency_up` and one line of log.
 */
export function createReadiness({ ask, isLeaving, registry, log }: ReadinessOptions): Readiness {
  const reached = new Set<string>();
  const failing = new Set<string>();
  const known = new Set<string>();
  let isReady = false;
  let isWhole = true;

  const note = (checks: Checks) => {
    for (const [dependency, { ok, detail }] of Object.entries(checks)) {
      known.add(dependency);
      if (ok) {
        reached.add(dependency);
        if (failing.delete(dependency)) log.info({ dependency }, 'a dependency answers again');
      } else if (reached.has(dependency) && !failing.has(dependency)) {
        failing.add(dependency);
        log.warn({ dependency, detail }, 'a dependency does not answer: requests that need it are refused');
      }
    }
  };

  const askAll = async (): Promise<Checks> => {
    try {
      const checks = await answerWithin(ask(), readyTimeoutMs);
      note(checks);
      isReady ||= Object.entries(checks).every(([name, { optional }]) => optional === true || reached.has(name));
      isWhole = Object.values(checks).every(({ ok, own }) => ok || own !== true);
      return checks;
    } catch (error) {
      const detail = error instanceof Error ? error.message : 'failed';
      note(Object.fromEntries([...known].map((dependency) => [dependency, { ok: false, detail }])));
      return { ready: { ok: false, detail } };
    }
  };
  const latest = askedAtScrape(askAll, {
    freshMs: () => (isReady ? freshMs : startingFreshMs),
    heldMs: Number.POSITIVE_INFINITY,
  });

  const up = new Gauge({
    name: 'nolo_dependency_up',
    help: 'Whether what the service depends on answers: 1 or 0.',
    labelNames: ['dependency'],
    registers: [registry],
    // What was up once is down where nothing can be said.
    async collect() {
      // What it lets go of on its way out is not down.
      if (isLeaving()) return;
      const checks = (await latest()) ?? {};
      for (const dependency of known) up.set({ dependency }, checks[dependency]?.ok === true ? 1 : 0);
    },
  });

  return {
    async answer() {
      if (isLeaving()) return { ready: false, checks: { process: { ok: false, detail: 'stopping' } } };
      // Whether it is ready is known afterwards, but for one that is ready already.
      const checks = (await latest(isReady ? probeWaitMs : readyTimeoutMs + 500)) ?? {};
      return { ready: isReady && isWhole, checks };
    },
  };
}
