import { LRUCache } from 'lru-cache';
import { Counter, type Registry } from 'prom-client';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { outsideDeadline } from './rpcDeadline.ts';

/**
 * What another service decides and many calls here depend on: asked once, kept in this process for some minutes, and
 * believed for a day where the other service is away. Whoever decides says when an answer is outdated.
 */
export interface LastKnown<Value> {
  /** Undefined where nobody can be asked and nothing was heard within the day. Never rejects. */
  of(key: string): Promise<Value | undefined>;
  /** Asked again at the next need; what was known goes on to hold where that cannot be had. */
  outdate(key: string): void;
  /** The same for all, as after a connection over which word of changes would have come. */
  outdateAll(): void;
}

/** Where processes leave what they know for those that are started meanwhile. Failing costs nothing but that. */
export interface Copies {
  read(key: string): Promise<string | null>;
  write(key: string, text: string, forMs: number): Promise<unknown>;
}

export interface LastKnownOptions<Value> {
  /** Of the answers in metrics and log lines: `entitlements`. */
  name: string;
  /** Plain data, fit for JSON. Rejecting, for whatever reason, counts as nobody being there to be asked. */
  ask: (key: string, options: { timeoutMs: number }) => Promise<Value>;
  clock: Clock;
  log: Log;
  metrics?: Registry | undefined;
  copies?: Copies | undefined;
  /** When an answer ends by itself, in milliseconds since the epoch, if that is before the next asking. */
  endsAt?: (value: Value) => number | null;
  /** How long an answer is believed without asking again, 5 minutes unless told. */
  freshMs?: number;
  /** How long it is believed while nobody can be asked, a day unless told. */
  heldMs?: number;
  /** How long an answer is waited for, 1 s unless told, and after how long one that did not come is asked for again, 5 s. */
  timeoutMs?: number;
  pauseMs?: number;
  /** Keys that are kept in this process, 50,000 unless told; the ones that were used least lately go. */
  most?: number;
}

interface Answer<Value> {
  readonly value: Value;
  readonly askedAt: number;
}

interface Entry<Value> {
  answer?: Answer<Value> | undefined;
  /** Which asking brought it, counted over all. */
  broughtBy: number;
  /** Which word of changes the answer has seen; see `outdateAll`. */
  epoch: number;
  outdated: boolean;
  failedAt?: number | undefined;
  /** The asking that is under way, which all who come meanwhile join. */
  asking?: Promise<Value | undefined> | undefined;
}

/** Where an answer came from, for operators. */
type Source = 'memory' | 'asked' | 'held' | 'copy' | 'nobody';

const minute = 60_000;

export function createLastKnown<Value>(options: LastKnownOptions<Value>): LastKnown<Value> {
  const { name, ask, clock, log, copies, endsAt = () => null } = options;
  const { freshMs = 5 * minute, heldMs = 24 * 60 * minute, timeoutMs = 1_000, pauseMs = 5_000 } = options;
  const entries = new LRUCache<string, Entry<Value>>({ max: options.most ?? 50_000 });
  const count = countAnswers(name, options.metrics);
  let epoch = 0;
  let askings = 0;
  let away = false;

  const now = () => clock.now().getTime();
  const isWithin = (since: number | undefined, ms: number) => since !== undefined && Math.abs(now() - since) < ms;
  const isFresh = (entry: Entry<Value>, { value, askedAt }: Answer<Value>) =>
    !entry.outdated && entry.epoch === epoch && isWithin(askedAt, freshMs) && now() < (endsAt(value) ?? Infinity);

  const noteOutage = (error: unknown) => {
    if (!away) log.warn({ err: error, what: name }, 'nobody can be asked: what was last known holds');
    away = true;
  };
  const noteReturn = () => {
    if (away) log.info({ what: name }, 'answers come again');
    away = false;
  };

  /** What this process heard, or another one that left it, within the day. */
  const recall = async (key: string, entry: Entry<Value>): Promise<Value | undefined> => {
    if (entry.answer && isWithin(entry.answer.askedAt, heldMs)) {
      count('held');
      return entry.answer.value;
    }
    const left = readCopy<Value>(await copies?.read(copyKey(name, key)).catch(() => null));
    if (left && isWithin(left.askedAt, heldMs)) {
      // Unless somebody was asked meanwhile. It is held, and not fresh: it is asked for again as soon as somebody can be.
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
      value = await outsideDeadline(() => ask(key, { timeoutMs }));
    } catch (error) {
      noteOutage(error);
      entry.failedAt = now();
      return await recall(key, entry);
    }
    noteReturn();
    count('asked');
    // Somebody said meanwhile that it is outdated: a later asking brings what holds now, or has done so.
    if (begun.order < entry.broughtBy) return value;
    entry.broughtBy = begun.order;
    entry.failedAt = undefined;
    entry.outdated = !isLatest();
    entry.epoch = begun.epoch;
    entry.answer = { value, askedAt: begun.at };
    copies?.write(copyKey(name, key), JSON.stringify(entry.answer), heldMs).catch(() => undefined);
    return value;
  };

  const askOnce = (key: string, entry: Entry<Value>): Promise<Value | undefined> => {
    if (entry.asking) return entry.asking;
    const asking: Promise<Value | undefined> = refresh(key, entry, () => entry.asking === asking).finally(() => {
      if (entry.asking === asking) entry.asking = undefined;
    });
    entry.asking = asking;
    return asking;
  };

  return {
    async of(key) {
      let entry = entries.get(key);
      if (entry?.answer && isFresh(entry, entry.answer)) {
        count('memory');
        return entry.answer.value;
      }
      if (!entry) entries.set(key, (entry = { epoch, outdated: true, broughtBy: 0 }));
      // Others need not wait as well for somebody who does not answer.
      if (!entry.asking && isWithin(entry.failedAt, pauseMs)) return await recall(key, entry);
      return await askOnce(key, entry);
    },
    outdate(key) {
      const entry = entries.peek(key);
      if (!entry) return;
      entry.outdated = true;
      entry.asking = undefined;
      // Whoever tells of a change is there to be asked.
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
        help: 'Answers about what another service decides, by where they came from: memory, asked, held or a copy while it is away, or nobody.',
        labelNames: ['what', 'source'] as const,
        registers: [registry],
      }));
  return (source) => counter?.inc({ what: name, source });
}
