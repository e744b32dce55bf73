import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import type { Bus } from './bus.ts';
import { EventHandling } from './eventHandling.ts';
import type { ReadEventsReply, ReadEventsRequest } from './eventLog.ts';
import { createEventMeters } from './eventMeters.ts';
import { createEventStore, type EventStore } from './eventStore.ts';
import { wakeSubject, type ServiceEvent } from './eventTables.ts';
import type { Log } from './log.ts';

export interface ConsumeEventsOptions {
  /** Of the consumer: its cursor lies there, and what failed. */
  db: Knex;
  bus: Bus;
  log: Log;
  metrics?: Registry;
  /** Where gauges are counted; `db` unless told. */
  scrapeDb?: Knex | undefined;
  /** Whose events these are, `identity` for example. */
  source: string;
  /**
   * The name of a second place in the same log, the source's own by default: for what a service began to read later, and of
   * which it has already passed what it needs. It begins at the log's beginning.
   */
  cursor?: string;
  /** A client of the owner's EventLogService. */
  owner: { readEvents(request: ReadEventsRequest, options?: { timeoutMs?: number }): Promise<ReadEventsReply> };
  /**
   * By subject. Rejecting sets the event aside and tries it again later, without end. Handlers come out the same when they
   * are told again, for an event is told at least once.
   */
  handlers: Readonly<Record<string, (event: ServiceEvent) => Promise<void>>>;
  /** How often the owner is asked without a reason while it says nothing of its log; every 30 s by default. */
  pollMs?: number;
  /** What takes longer than this is set aside while it goes on, so that others need not wait; 5 s by default. */
  slowMs?: number;
}

const batchSize = 100;
const heartbeatMs = 10_000;

/**
 * While an owner says how far its log goes, it is asked when that is not how far this reader is, and else so many times
 * more seldom, every five minutes: so late is what a replica set aside that died meanwhile.
 */
const seldom = 10;
/** Two words of the owner, and a little. */
const heardForMs = 75_000;

/** What an owner says of its log; without a position, only that there is more. */
const beat = z.object({ position: z.number() });
const healEveryMs = 60_000;

/** Reads the events of one source; one replica at a time does. */
class EventReader {
  readonly #options: ConsumeEventsOptions;
  readonly #store: EventStore;
  readonly #handling: EventHandling;
  readonly #subjects: string[];
  readonly #pollMs: number;
  #stopped = false;
  #woken = false;
  #isReading = false;
  #healedAt: number | undefined;
  /** How far this reader has read, as far as it knows: another replica may be ahead. */
  #position: number | undefined;
  #renewing: NodeJS.Timeout | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;
  /** How far the owner said last that its log goes, unless anything may have come since. */
  #said: number | undefined;
  #endWait: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(options: ConsumeEventsOptions, store: EventStore) {
    const { db, owner, handlers, metrics, log, slowMs = 5_000 } = options;
    const source = options.cursor ?? options.source;
    this.#options = options;
    this.#store = store;
    this.#subjects = Object.keys(handlers);
    this.#pollMs = options.pollMs ?? 30_000;
    const counted =
      metrics && createEventMeters(metrics, { db: options.scrapeDb ?? db, source, owner, subjects: this.#subjects });
    this.#handling = new EventHandling({
      store,
      source,
      handlers,
      log,
      counted,
      slowMs,
      onFinished: () => this.#look(),
    });
  }

  start(): void {
    this.#running = this.#run();
  }

  /** The log may have something new: its owner is asked. */
  wake(): void {
    this.#said = undefined;
    this.#look();
  }

  /** Has what was set aside looked at. That something of it is done is no news of the log, of which the owner is not asked. */
  #look(): void {
    this.#woken = true;
    this.#endWait?.();
  }

  /** What the owner said: only where that is news is there anything to do. */
  hear(said: unknown): void {
    const { data } = beat.safeParse(said);
    if (data) this.#heardAt = performance.now();
    if (data === undefined || data.position !== this.#position) this.wake();
    else this.#said = data.position;
  }

  /** Says that this process is still at it, for as long as it is. */
  #keepRenewing(): void {
    const { log, source } = this.#options;
    const renew = async () => {
      if (this.#isReading) await this.#store.renew();
      await this.#handling.extend();
    };
    this.#renewing ??= setInterval(() => {
      if (this.#isReading || this.#handling.isUnderWay) {
        renew().catch((error: unknown) => log.warn({ err: error, source }, 'a lease could not be renewed'));
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
        if (failures === 3) log.warn({ err: error, source }, 'events cannot be read; trying again');
        restMs = Math.min(250 * 2 ** failures, this.#pollMs);
      }
      await this.#wait(restMs);
    }
  }

  /** Reads on until there is nothing more. Answers for how long there is nothing to do. */
  async #read(): Promise<number> {
    const claimed = await this.#store.claim();
    if ('heldMs' in claimed) return Math.min(claimed.heldMs, this.#pollMs);
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

  get #isHeard(): boolean {
    return performance.now() - this.#heardAt < heardForMs;
  }

  #restMs(): number {
    return this.#isHeard ? this.#pollMs * seldom : this.#pollMs;
  }

  /** A look without a reason is for what was set aside: of its log the owner says enough. */
  #isAllRead(position: number): boolean {
    return this.#isHeard && this.#said === position;
  }

  async #pull(position: number): Promise<{ position: number; isMore: boolean }> {
    const { owner, source, log } = this.#options;
    const request = { after: position, subjects: this.#subjects, limit: batchSize };
    const reply = await owner.readEvents(request, { timeoutMs: 10_000 });
    if (reply.lastPosition < position) {
      log.warn({ source, position, last: reply.lastPosition }, 'the log was taken back; it is read from its beginning');
      await this.#store.advance(0);
      return { position: 0, isMore: true };
    }
    if (position > 0 && reply.sweptPosition > position) {
      log.error({ source, position, swept: reply.sweptPosition }, 'events went before they were read');
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

/** Reads the events of one source and hands them to their handlers. Answers with what ends that. */
export function consumeEvents(options: ConsumeEventsOptions): () => Promise<void> {
  const { bus, source, cursor } = options;
  const store = createEventStore(options.db, cursor ?? source);
  const reader = new EventReader(options, store);
  const wake = () => reader.wake();
  const unsubscribe = bus.subscribe(wakeSubject(source), (said) => reader.hear(said));
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
