import type { Counter } from 'prom-client';
import { runInEventSpan } from '../bus/busTelemetry.ts';
import type { LoggedEvent } from './eventLog.ts';
import type { EventConsumerStore, ParkedEvent } from './eventConsumerStore.ts';
import type { ServiceEvent } from './eventTables.ts';
import { currentSubject } from '../formerNames.ts';
import type { Log } from '../telemetry/log.ts';
import { errorTypeOf } from '../telemetry/tracing.ts';

export interface EventDispatcherOptions {
  store: EventConsumerStore;
  source: string;
  handlers: Readonly<Record<string, (event: ServiceEvent) => Promise<void>>>;
  log: Log;
  counted: Counter<'source' | 'subject' | 'result'> | undefined;
  slowMs: number;
  /** Called when a handler that ran in the background ends. */
  onFinished: () => void;
}

interface Deadline extends Disposable {
  readonly over: Promise<'under_way'>;
  isOver(): boolean;
  end(): void;
}

const concurrency = 4;
const stopTimeoutMs = 5_000;

/** Passes events to their handlers, and sets aside events that fail or take long. */
export class EventDispatcher {
  readonly #options: EventDispatcherOptions;
  /** Handlers running in the background, by event id. */
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #deadlines = new Set<Deadline>();
  #stopped = false;

  constructor(options: EventDispatcherOptions) {
    this.#options = options;
  }

  /** Handles a batch: events of one key sequentially, different keys concurrently. */
  async handleBatch(events: readonly LoggedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const byKey = Map.groupBy(events, ({ key }) => key);
    const blocked = await this.#options.store.blocked([...byKey.keys()]);
    using deadline = this.#deadline(this.#options.slowMs);
    const waiting = [...byKey];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await this.#handleKey(next[1], blocked.has(next[0]), deadline);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  }

  /** Retries some of the due events that were set aside. Returns true if there were any. */
  async handleDue(): Promise<boolean> {
    const due = await this.#options.store.takeDue(concurrency);
    if (due.length === 0) return false;
    const fresh = due.filter(({ id }) => !this.#underWay.has(id));
    using deadline = this.#deadline(this.#options.slowMs);
    const all = fresh.map((event) => this.#finish(event, this.#handle(event, event.attempts + 1)));
    await Promise.race([Promise.all(all), deadline.over]);
    return true;
  }

  /** True if handlers run in the background. */
  get isUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  /** Extends the hold on events whose handlers still run. */
  async extend(): Promise<void> {
    if (this.#underWay.size > 0) await this.#options.store.extend([...this.#underWay.keys()]);
  }

  /** Stops waiting for handlers. */
  hurry(): void {
    this.#stopped = true;
    for (const deadline of this.#deadlines) deadline.end();
  }

  /** Waits briefly for running handlers. Another process retries events whose handlers take longer. */
  async end(): Promise<void> {
    this.#stopped = false;
    using deadline = this.#deadline(stopTimeoutMs);
    await Promise.race([Promise.all(this.#underWay.values()), deadline.over]);
  }

  async #handle(event: LoggedEvent, attempt: number): Promise<void> {
    const { source, handlers, counted, log } = this.#options;
    const { id, traceparent } = event;
    const subject = currentSubject(event.subject);
    await runInEventSpan(traceparent || undefined, subject, async (span) => {
      span?.set({ 'nolo.attempt': attempt });
      try {
        const handler = handlers[subject];
        if (!handler) throw new Error('This service no longer handles this event.');
        await handler({ subject, id, attempt, data: JSON.parse(event.payload) as unknown });
        counted?.inc({ source, subject, result: 'done' });
      } catch (error) {
        span?.fail(errorTypeOf(error));
        counted?.inc({ source, subject, result: 'failed' });
        log.warn({ err: error, subject, id, attempt }, 'event quarantined for retry');
        throw error;
      }
    });
  }

  /** Handles the events of one key in order. After one that fails or takes long, the rest of the key wait behind it. */
  async #handleKey(events: readonly LoggedEvent[], isBlocked: boolean, deadline: Deadline): Promise<void> {
    const { store } = this.#options;
    let isBehind = isBlocked;
    for (const event of events) {
      if (isBehind) {
        await store.park(event, 'behind');
        continue;
      }
      const handling = deadline.isOver() ? undefined : this.#handle(event, 1);
      const handled = handling?.then(
        () => 'done' as const,
        (error: unknown) => ({ error }),
      );
      const outcome = handled ? await Promise.race([handled, deadline.over]) : 'now';
      if (outcome === 'done') continue;
      await store.park(event, outcome);
      if (outcome === 'under_way' && handling) void this.#finish({ ...event, attempts: 0 }, handling);
      isBehind = true;
    }
  }

  /**
   * Removes the event from the table when its handler is done. If the database rejects this, the event is retried when
   * due.
   */
  #finish(event: ParkedEvent, handling: Promise<void>): Promise<void> {
    const { store, log, onFinished } = this.#options;
    const finishing = handling
      .then(
        () => store.done(event),
        (error: unknown) => store.failed(event, error),
      )
      .catch((error: unknown) => log.warn({ err: error, id: event.id }, 'recording the outcome of an event failed'))
      .finally(() => {
        this.#underWay.delete(event.id);
        onFinished();
      });
    this.#underWay.set(event.id, finishing);
    return finishing;
  }

  /**
   * Creates the deadline after which a running handler continues in the background; immediate once the consumer is
   * stopping.
   */
  #deadline(ms: number): Deadline {
    const { promise: over, resolve } = Promise.withResolvers<'under_way'>();
    let isOver = false;
    const end = () => {
      isOver = true;
      resolve('under_way');
    };
    const timer = setTimeout(end, ms);
    if (this.#stopped) end();
    const deadline: Deadline = {
      over,
      end,
      isOver: () => isOver,
      [Symbol.dispose]: () => {
        clearTimeout(timer);
        this.#deadlines.delete(deadline);
      },
    };
    this.#deadlines.add(deadline);
    return deadline;
  }
}
