import type { Clock } from '@nolo/kit/clock';
import { isAppError } from '@nolo/kit/errors';
import type { Bus } from '@nolo/kit/bus';
import type { Redis } from '@nolo/kit/redis';
import type { Check } from '@nolo/kit/telemetry';
import { services, type Clients, type ServiceAdmins } from '../clients.ts';

interface ComponentHealth {
  ok: boolean;
  detail?: string;
}

export interface HealthReport {
  /** Status. `degraded`: sign-in and chat work, but something else does not. */
  status: 'ready' | 'degraded' | 'starting' | 'stopping';
  parts: Record<string, ComponentHealth>;
  /** Unavailable services that are required for sign-in and chat. */
  missing: string[];
}

export interface HealthCheck {
  check(): Promise<HealthReport>;
}

interface HealthOptions {
  clients: Clients;
  /** Names the services that are configured. */
  serviceAdmins: ServiceAdmins;
  redis: Redis;
  bus: Bus;
  clock: Clock;
  /** Returns true if this replica is shutting down: no traffic must be sent here, whatever else works. */
  draining: () => boolean;
  /** Absent if no provider is configured. */
  provider: (() => Promise<unknown>) | undefined;
}

const timeoutMs = 1_500;
/** Cache time: more frequent checks get the last result, so that they cost the services nothing. */
const freshMs = 500;

/**
 * Components that are not required; sign-in and chat are. Without the OpenID provider, people can still sign in by
 * phone, and signed-in people notice nothing.
 */
const canWait: ReadonlySet<string> = new Set([
  ...Object.values(services).flatMap(({ required, checks }) => (required ? [] : Object.keys(checks))),
  'provider',
]);

async function probe(runCheck: () => Promise<unknown>): Promise<ComponentHealth> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ComponentHealth>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, detail: 'no answer in time' }), timeoutMs);
  });
  const outcome = (async (): Promise<ComponentHealth> => {
    try {
      await runCheck();
      return { ok: true };
    } catch (error) {
      // A refusal proves that the service is up and could read its data.
      if (isAppError(error) && error.kind !== 'unavailable' && error.kind !== 'internal') return { ok: true };
      return { ok: false, detail: isAppError(error) ? error.code : 'not reachable' };
    }
  })();
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
  }
}

const stopping: HealthReport = {
  status: 'stopping',
  parts: { gateway: { ok: false, detail: 'draining' } },
  missing: ['gateway'],
};

/** Checks every service in parallel with requests like a person's. */
export function createHealthCheck(options: HealthOptions): HealthCheck {
  const { clients, serviceAdmins, redis, bus, clock, draining, provider } = options;

  const runCheck = async (): Promise<HealthReport> => {
    const call = { timeoutMs };
    const configured = Object.entries(services).filter(([name]) => serviceAdmins[name] !== undefined);
    const checks = configured.flatMap(([, service]) => Object.entries(service.checks));
    const asks: Record<string, () => Promise<unknown>> = {
      ...Object.fromEntries(checks.map(([name, check]) => [name, async () => check(clients, call)])),
      redis: () => redis.ping(),
      nats: () => bus.flush(timeoutMs),
      ...(provider ? { provider } : {}),
    };
    const parts = Object.fromEntries(
      await Promise.all(Object.entries(asks).map(async ([name, one]) => [name, await probe(one)] as const)),
    );
    // The gateway has no database connection; services report if it is unavailable.
    const database = [parts['identity'], parts['chat']].some((part) => part?.detail === 'storage_unavailable');
    parts['postgres'] = database
      ? { ok: false, detail: 'storage_unavailable' }
      : { ok: parts['identity']?.ok === true };
    const missing = Object.keys(parts).filter((name) => !canWait.has(name) && parts[name]?.ok !== true);
    const isWhole = Object.values(parts).every(({ ok }) => ok);
    return { status: missing.length > 0 ? 'starting' : isWhole ? 'ready' : 'degraded', parts, missing };
  };

  let last: { health: Promise<HealthReport>; atMs: number } | undefined;
  return {
    async check() {
      if (draining()) return stopping;
      const now = clock.now().getTime();
      if (!last || now - last.atMs > freshMs || now < last.atMs) last = { health: runCheck(), atMs: now };
      return last.health;
    },
  };
}

/** Converts the result for /readyz: optional services do not prevent readiness. */
export function toReadinessChecks({ parts }: HealthReport): Record<string, Check> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, canWait.has(name) ? { ...part, optional: true } : part]),
  );
}
