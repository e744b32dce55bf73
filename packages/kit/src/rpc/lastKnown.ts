import { LRUCache } from 'lru-cache';
import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { Log } from '../telemetry/log.ts';
import { withoutInheritedDeadline } from './rpcDeadline.ts';

/**
 * Cache of another service's decisions on which many calls depend: queried once, cached in this process for some
 * minutes, and used for up to a day while the other service is down. The deciding service reports when an answer is
 * outdated.
 */
export interface LastKnownValues<Value> {
  /** Returns undefined if the service is unavailable and there was no answer within the day. Never rejects. */
  of(key: string): Promise<Value | undefined>;
  /** Marks an entry for a new query when next needed. The old answer stays in use if the query fails. */
  outdate(key: string): void;
  /** Marks all entries, for example after losing the connection that delivers change events. */
  outdateAll(): void;
}

/** Shared store of answers for processes that start later. Its failures have no other effect. */
export interface SharedCopyStore {
  read(key: string): Promise<string | null>;
  write(key: string, text: string, forMs: number): Promise<unknown>;
}

export interface LastKnownOptions<Value> {
  /** Name of the answers in metrics and logs: `entitlements`. */
  name: string;
  /** Queries the deciding service. Returns plain data that fits JSON. Any rejection counts as an outage. */
  load: (key: string, options: { timeoutMs: number }) => Promise<Value>;
  clock: Clock;
  log: Log;
  metrics?: Registry | undefined;
  copies?: SharedCopyStore | undefined;
  /** Expiry of an answer in milliseconds since the epoch, if before the next query. */
  endsAt?: (value: Value) => number | null;
  /** Milliseconds for which an answer is used without another query. Default: 5 minutes. */
  freshMs?: number;
  /** Milliseconds for which an answer is used during an outage. Default: one day. */
  maxStaleMs?: number;
  /** Timeout of a query, 1 s by default, and pause after a failed one, 5 s by default. */
  timeoutMs?: number;
  pauseMs?: number;
  /** Maximum keys in this process, 50,000 by default; the least recently used are evicted. */
  maxKeys?: number;
}

interface Answer<Value> {
  readonly value: Value;
  readonly askedAt: number;
}

interface Entry<Value> {
  answer?: Answer<Value> | undefined;
  /** Sequence number of the query that returned it. */
  broughtBy: number;
  /** Epoch of change events that the answer reflects; see `outdateAll`. */
  epoch: number;
  outdated: boolean;
  failedAt?: number | undefined;
  /** Query in progress, which concurrent callers join. */
  loading?: Promise<Value | undefined> | undefined;
}

/** Origin of an answer, for operators. */
type Source = 'memory' | 'asked' | 'held' | 'copy' | 'nobody';

const minute = 60_000;

export function createLastKnownValues<Value>(options: LastKnownOptions<Value>): LastKnownValues<Value> {
  const { name, load, clock, log, copies, endsAt = () => null } = options;
  const { freshMs = 5 * minute, maxStaleMs = 24 * 60 * minute, timeoutMs = 1_000, pauseMs = 5_000 } = options;
  const entries = new LRUCache<string, Entry<Value>>({ max: options.maxKeys ?? 50_000 });
  const count = countAnswers(name, options.metrics);
  let epoch = 0;
  let askings = 0;
  let away = false;

  const now = () => clock.now().getTime();
  const isWithin = (since: number | undefined, ms: number) => since !== undefined && Math.abs(now() - since) < ms;
  const isFresh = (entry: Entry<Value>, { value, askedAt }: Answer<Value>) =>
    !entry.outdated && entry.epoch === epoch && isWithin(askedAt, freshMs) && now() < (endsAt(value) ?? Infinity);

  const recordOutage = (error: unknown) => {
    if (!away) log.warn({ err: error, what: name }, 'source not reachable; using the last known value');
    away = true;
  };
  const recordRecovery = () => {
    if (away) log.info({ what: name }, 'source reachable again');
    away = false;
  };

  /** Returns the last answer of this process, or of another one that stored a copy, from within the day. */
  const recall = async (key: string, entry: Entry<Value>): Promise<Value | undefined> => {
    if (entry.answer && isWithin(entry.answer.askedAt, maxStaleMs)) {
      count('held');
      return entry.answer.value;
    }
    const left = readCopy<Value>(await copies?.read(copyKey(name, key)).catch(() => null));
    if (left && isWithin(left.askedAt, maxStaleMs)) {
      // Skipped if a newer answer arrived meanwhile. A copy is held, not fresh: it is queried again as soon as
      // possible.
      if (!entry.answer || entry.answer.askedAt < left.askedAt) {
        entry.answer = left;
        entry.outdated = true;
      }
      count('copy');
      return left.value;
    }
    count('nobody');
    return undefined;
  };

  const refresh = async (key: string, entry: Entry<Value>, isLatest: () => boolean): Promise<Value | undefined> => {
    const begun = { at: now(), epoch, order: (askings += 1) };
    let value: Value;
    try {
      value = await withoutInheritedDeadline(() => load(key, { timeoutMs }));
    } catch (error) {
      recordOutage(error);
      entry.failedAt = now();
      return await recall(key, entry);
    }
    recordRecovery();
    count('asked');
    // The answer was outdated meanwhile, and a later query returned a newer one.
    if (begun.order < entry.broughtBy) return value;
    entry.broughtBy = begun.order;
    entry.failedAt = undefined;
    entry.outdated = !isLatest();
    entry.epoch = begun.epoch;
    entry.answer = { value, askedAt: begun.at };
    copies?.write(copyKey(name, key), JSON.stringify(entry.answer), maxStaleMs).catch(() => undefined);
    return value;
  };

  const loadOnce = (key: string, entry: Entry<Value>): Promise<Value | undefined> => {
    if (entry.loading) return entry.loading;
    const loading: Promise<Value | undefined> = refresh(key, entry, () => entry.loading === loading).finally(() => {
      if (entry.loading === loading) entry.loading = undefined;
    });
    entry.loading = loading;
    return loading;
  };

  return {
    async of(key) {
      let entry = entries.get(key);
      if (entry?.answer && isFresh(entry, entry.answer)) {
        count('memory');
        return entry.answer.value;
      }
      if (!entry) entries.set(key, (entry = { epoch, outdated: true, broughtBy: 0 }));
      // Spares further callers the wait for a service that does not answer.
      if (!entry.loading && isWithin(entry.failedAt, pauseMs)) return await recall(key, entry);
      return await loadOnce(key, entry);
    },
    outdate(key) {
      const entry = entries.peek(key);
      if (!entry) return;
      entry.outdated = true;
      entry.loading = undefined;
      // A service that reports a change is available.
      entry.failedAt = undefined;
    },
    outdateAll() {
      epoch += 1;
    },
  };
}

const copyKey = (name: string, key: string) => `${name}:${key}`;

function readCopy<Value>(text: string | null | undefined): Answer<Value> | undefined {
  if (text === null || text === undefined) return undefined;
  try {
    const read = JSON.parse(text) as Answer<Value> | null;
    return typeof read?.askedAt === 'number' ? read : undefined;
  } catch {
    return undefined;
  }
}

function countAnswers(name: string, registry: Registry | undefined): (source: Source) => void {
  const metric = 'nolo_last_known_answers_total';
  const counter =
    registry &&
    ((registry.getSingleMetric(metric) as Counter<'what' | 'source'> | undefined) ??
      new Counter({
        name: metric,
        help: 'Answers decided by another service, by source: memory, asked, held or a copy while that service is away, or nobody.',
        labelNames: ['what', 'source'] as const,
        registers: [registry],
      }));
  return (source) => counter?.inc({ what: name, source });
}
