import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import type { Bus } from './bus.ts';
import { EventHandling } from './eventHandling.ts';
import type { ReadEventsReply, ReadEventsRequest } from './eventLog.ts';
import { createEventMeters } from './eventMeters.ts';
import { createEventStore, type EventStore } from './eventStore.ts';
import { wakeSubject, type ServiceEvent } from './eventTables.ts';
import { idFromName, isId } from './ids.ts';
import type { Log } from './log.ts';

export interface ConsumeEventsOptions {
  /** Of the consumer: its cursor lies there, and what failed. */
  db: Knex;
  bus: Bus;
  log: Log;
  metrics?: Registry;
  /** The consumer's own name. */
  consumer: string;
  /** Whose events these are, `identity` for example. */
  source: string;
  /** A client of the owner's EventLogService. */
  owner: { readEvents(request: ReadEventsRequest, options?: { timeoutMs?: number }): Promise<ReadEventsReply> };
  /**
   * By subject. Rejecting sets the event aside and tries it again later, without end. Handlers come out the same when they
   * are told again, for an event is told at least once.
   */
  handlers: Readonly<Record<string, (event: ServiceEvent) => Promise<void>>>;
  /** How often the owner is asked without a reason; every 30 s by default. */
  pollMs?: number;
  /** What takes longer than this is set aside while it goes on, so that others need not wait; 5 s by default. */
  slowMs?: number;
}

const batchSize = 100;
const heartbeatMs = 10_000;
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
  #endWait: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(options: ConsumeEventsOptions, store: EventStore) {
    const { db, source, owner, handlers, metrics, log, slowMs = 5_000 } = options;
    this.#options = options;
    this.#store = store;
    this.#subjects = Object.keys(handlers);
    this.#pollMs = options.pollMs ?? 30_000;
    const counted = metrics && createEventMeters(metrics, { db, source, owner, subjects: this.#subjects });
    this.#handling = new EventHandling({
      store,
      source,
      handlers,
      log,
      counted,
      slowMs,
      onFinished: () => this.wake(),
    });
  }

  start(): void {
    this.#running = this.#run();
  }

  wake(): void {
    this.#woken = true;
    this.#endWait?.();
  }

  /** Says that this process is still at it. */
  async renew(): Promise<void> {
    if (this.#isReading) await this.#store.renew();
    await this.#handling.extend();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#endWait?.();
    this.#handling.hurry();
    await this.#running;
    await this.#handling.end();
  }

  async #run(): Promise<void> {
    const { log, source } = this.#options;
    let failures = 0;
    while (!this.#stopped) {
      this.#woken = false;
      let restMs = this.#pollMs;
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
    this.#isReading = true;
    try {
      await this.#heal();
      let { position } = claimed;
      while (!this.#stopped) {
        this.#woken = false;
        const hadDue = await this.#handling.handleDue();
        const pulled = await this.#pull(position);
        position = pulled.position;
        if (!hadDue && !pulled.isMore && !this.#woken) break;
      }
      return Math.min(this.#pollMs, Math.max(50, (await this.#store.untilNextMs()) ?? this.#pollMs));
    } finally {
      this.#isReading = false;
      await this.#store.release();
    }
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
  const { bus, log, source } = options;
  const store = createEventStore(options.db, source);
  const reader = new EventReader(options, store);
  const wake = () => reader.wake();
  const heartbeat = setInterval(() => {
    reader.renew().catch((error: unknown) => log.warn({ err: error, source }, 'a lease could not be renewed'));
  }, heartbeatMs);
  const unsubscribe = bus.subscribe(wakeSubject(source), wake);
  const forget = bus.onReconnect(wake);
  // What an owner of the version before put into JetStream goes through the same table as what was set aside.
  const drained = bus.consume({
    durable: options.consumer,
    subjects: Object.keys(options.handlers),
    async handler({ subject, data, id: given, traceparent }) {
      const id = isId(given) ? given : idFromName(given);
      const payload = JSON.stringify(data);
      await store.park({ position: 0, id, subject, key: id, payload, createdAt: new Date(), traceparent }, 'now');
      wake();
    },
  });
  reader.start();

  let stopping: Promise<void> | undefined;
  const stop = async () => {
    unsubscribe();
    forget();
    await (
      await drained
    )();
    await reader.stop();
    clearInterval(heartbeat);
  };
  return () => (stopping ??= stop());
}
