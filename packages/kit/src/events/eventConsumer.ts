import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import type { Bus } from '../bus/bus.ts';
import { EventDispatcher } from './eventDispatcher.ts';
import type { ReadEventsReply, ReadEventsRequest } from './eventLog.ts';
import { createEventMeters } from './eventMeters.ts';
import { createEventConsumerStore, type EventConsumerStore } from './eventConsumerStore.ts';
import { wakeSubjectOf, type ServiceEvent } from './eventTables.ts';
import { acceptedSubjects } from '../formerNames.ts';
import type { Log } from '../telemetry/log.ts';

export interface ConsumeEventsOptions {
  /** Database of the consumer, which stores its cursor and its failed events. */
  db: Knex;
  bus: Bus;
  log: Log;
  metrics?: Registry;
  /** Database for gauges. Default: `db`. */
  scrapeDb?: Knex | undefined;
  /** Service that owns the events, for example `identity`. */
  source: string;
  /**
   * Name of a second cursor in the same log; the source's own by default. Used for subjects that a service began to
   * read later, when its first cursor had already passed their events. Starts at the beginning of the log.
   */
  cursor?: string;
  /** Client of the owner's EventLogService. */
  owner: { readEvents(request: ReadEventsRequest, options?: { timeoutMs?: number }): Promise<ReadEventsReply> };
  /**
   * Handlers by subject. A rejection sets the event aside for retries without limit. Handlers must be idempotent,
   * because delivery is at least once.
   */
  handlers: Readonly<Record<string, (event: ServiceEvent) => Promise<void>>>;
  /** Interval between unprompted queries of an owner that does not report its log's position. Default: 30 s. */
  pollMs?: number;
  /** Time after which a running handler's event is set aside, so that others need not wait. Default: 5 s. */
  slowMs?: number;
}

const batchSize = 100;
const heartbeatMs = 10_000;

/**
 * Factor by which unprompted reads become rarer (every five minutes) while the owner reports its position. A difference
 * in position still triggers a read. Five minutes is therefore the maximum delay for events that a crashed replica had
 * set aside.
 */
const seldom = 10;
/** Two position reports of the owner, plus a margin. */
const heartbeatTimeoutMs = 75_000;

/** Position report of an owner. A message without a position only means that there is more. */
const beat = z.object({ position: z.number() });
const healEveryMs = 60_000;

/** Reads the events of one source. Only one replica at a time does so. */
class EventReader {
  readonly #options: ConsumeEventsOptions;
  readonly #store: EventConsumerStore;
  readonly #handling: EventDispatcher;
  readonly #subjects: string[];
  readonly #pollMs: number;
  #stopped = false;
  #woken = false;
  #isReading = false;
  #healedAt: number | undefined;
  /** Position that this reader has reached, as far as it knows; another replica may be ahead. */
  #position: number | undefined;
  #renewing: NodeJS.Timeout | undefined;
  #heartbeatAt = Number.NEGATIVE_INFINITY;
  /** Latest position that the owner reported; undefined if the log may have grown since. */
  #ownerPosition: number | undefined;
  #endWait: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(options: ConsumeEventsOptions, store: EventConsumerStore) {
    const { db, owner, handlers, metrics, log, slowMs = 5_000 } = options;
    const source = options.cursor ?? options.source;
    this.#options = options;
    this.#store = store;
    this.#subjects = Object.keys(handlers).flatMap(acceptedSubjects);
    this.#pollMs = options.pollMs ?? 30_000;
    const counted =
      metrics && createEventMeters(metrics, { db: options.scrapeDb ?? db, source, owner, subjects: this.#subjects });
    this.#handling = new EventDispatcher({
      store,
      source,
      handlers,
      log,
      counted,
      slowMs,
      onFinished: () => this.#wakeUp(),
    });
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Triggers a query of the owner, because the log may have grown. */
  wake(): void {
    this.#ownerPosition = undefined;
    this.#wakeUp();
  }

  /**
   * Triggers a check of the events set aside. Progress on them says nothing about the log, so the owner is not queried.
   */
  #wakeUp(): void {
    this.#woken = true;
    this.#endWait?.();
  }

  /** Handles the owner's position report. Acts only if the position is new. */
  receiveHeartbeat(heartbeat: unknown): void {
    const { data } = beat.safeParse(heartbeat);
    if (data) this.#heartbeatAt = performance.now();
    if (data === undefined || data.position !== this.#position) this.wake();
    else this.#ownerPosition = data.position;
  }

  /** Renews the lease of this process while it reads or handles events. */
  #keepRenewing(): void {
    const { log, source } = this.#options;
    const renew = async () => {
      if (this.#isReading) await this.#store.renew();
      await this.#handling.extend();
    };
    this.#renewing ??= setInterval(() => {
      if (this.#isReading || this.#handling.isUnderWay) {
        renew().catch((error: unknown) => log.warn({ err: error, source }, 'lease renewal failed'));
      } else {
        this.#endRenewing();
      }
    }, heartbeatMs);
  }

  #endRenewing(): void {
    clearInterval(this.#renewing);
    this.#renewing = undefined;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#endWait?.();
    this.#handling.hurry();
    await this.#running;
    await this.#handling.end();
    this.#endRenewing();
  }

  async #run(): Promise<void> {
    const { log, source } = this.#options;
    let failures = 0;
    while (!this.#stopped) {
      this.#woken = false;
      let restMs = this.#restMs();
      try {
        restMs = await this.#read();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 3) log.warn({ err: error, source }, 'reading events failed; retrying');
        restMs = Math.min(250 * 2 ** failures, this.#pollMs);
      }
      await this.#wait(restMs);
    }
  }

  /** Reads until nothing is left. Returns the milliseconds until the next work is due. */
  async #read(): Promise<number> {
    const claimed = await this.#store.claim();
    if ('leaseLeftMs' in claimed) return Math.min(claimed.leaseLeftMs, this.#pollMs);
    this.#position = claimed.position;
    this.#isReading = true;
    this.#keepRenewing();
    try {
      await this.#heal();
      let { position } = claimed;
      while (!this.#stopped) {
        this.#woken = false;
        const hadDue = await this.#handling.handleDue();
        const pulled = this.#isAllRead(position) ? { position, isMore: false } : await this.#pull(position);
        position = pulled.position;
        this.#position = position;
        if (!hadDue && !pulled.isMore && !this.#woken) break;
      }
      const restMs = this.#restMs();
      return Math.min(restMs, Math.max(50, (await this.#store.untilNextMs()) ?? restMs));
    } finally {
      this.#isReading = false;
      await this.#store.release();
    }
  }

  get #isOwnerAlive(): boolean {
    return performance.now() - this.#heartbeatAt < heartbeatTimeoutMs;
  }

  #restMs(): number {
    return this.#isOwnerAlive ? this.#pollMs * seldom : this.#pollMs;
  }

  /**
   * True if the owner's report says that the log is fully read. An unprompted read then only checks the events set
   * aside.
   */
  #isAllRead(position: number): boolean {
    return this.#isOwnerAlive && this.#ownerPosition === position;
  }

  async #pull(position: number): Promise<{ position: number; isMore: boolean }> {
    const { owner, source, log } = this.#options;
    const request = { after: position, subjects: this.#subjects, limit: batchSize };
    const reply = await owner.readEvents(request, { timeoutMs: 10_000 });
    if (reply.lastPosition < position) {
      log.warn(
        { source, position, last: reply.lastPosition },
        'event log went back in time; reading it from the beginning',
      );
      await this.#store.advance(0);
      return { position: 0, isMore: true };
    }
    if (position > 0 && reply.sweptPosition > position) {
      log.error({ source, position, swept: reply.sweptPosition }, 'events were deleted before they were read');
    }
    await this.#handling.handleBatch(reply.events);
    if (reply.position > position) await this.#store.advance(reply.position);
    return { position: reply.position, isMore: reply.position < reply.lastPosition };
  }

  async #heal(): Promise<void> {
    if (this.#healedAt !== undefined && performance.now() - this.#healedAt < healEveryMs) return;
    await this.#store.heal();
    this.#healedAt = performance.now();
  }

  async #wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#endWait = resolve;
    if (!this.#stopped && !this.#woken) await promise;
    clearTimeout(timer);
  }
}

/** Reads the events of one source and passes them to their handlers. Returns a function that stops it. */
export function consumeEvents(options: ConsumeEventsOptions): () => Promise<void> {
  const { bus, source, cursor } = options;
  const store = createEventConsumerStore(options.db, cursor ?? source);
  const reader = new EventReader(options, store);
  const wake = () => reader.wake();
  const unsubscribe = bus.subscribe(wakeSubjectOf(source), (heartbeat) => reader.receiveHeartbeat(heartbeat));
  const forget = bus.onReconnect(wake);
  reader.start();

  let stopping: Promise<void> | undefined;
  const stop = async () => {
    unsubscribe();
    forget();
    await reader.stop();
  };
  return () => (stopping ??= stop());
}
