import { AckPolicy, DeliverPolicy, type ConsumerMessages, type JetStreamManager, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Counter } from 'prom-client';
import { inMessageSpan, type ConsumerState } from './busTelemetry.ts';
import type { Log } from './log.ts';
import { errorType, type Span } from './tracing.ts';

export interface DurableEvent {
  /** Without the installation's prefix, for example `event.identity.user_deleted`. */
  subject: string;
  data: unknown;
  /** The outbox row's id. The same event may come more than once, always under the same id. */
  id: string;
  /** 1 the first time. */
  attempt: number;
}

export interface ConsumeOptions {
  /** The consumer's name, shared by all replicas of a service: one of them gets each event. */
  durable: string;
  subjects: readonly string[];
  /** Rejecting means "again later". Handlers are idempotent by the event's id. */
  handler: (event: DurableEvent) => Promise<void>;
  /** Waits between tries; the last one repeats. */
  backoffMs?: readonly number[];
  /** After so many tries an event is given up, loudly. */
  maxDeliver?: number;
}

export interface Consumption {
  /** Called after a reconnect: the server may have come back without its memory. */
  restart(): void;
  /** What the server knows of its consumers. */
  state(): Promise<ConsumerState[]>;
  stop(): Promise<void>;
}

export interface ConsumptionContext extends ConsumeOptions {
  log: Log;
  handled: Counter<'consumer' | 'result'> | undefined;
  prefix: string;
  stream: string;
  manager: JetStreamManager;
  ensureStream: () => Promise<void>;
  isClosed: () => boolean;
}

const defaultBackoffMs = [1000, 5000, 15_000, 60_000, 300_000];

/** How long the server waits for a sign of life before it gives an event to someone else. */
const ackWaitMs = 30_000;

/** Events pulled ahead. Small, since each waits for its turn with its acknowledgement running. */
const prefetch = 10;

/** JetStream's names may hold no dots, wildcards or spaces. */
function consumerName(durable: string, subject: string): string {
  return `${durable}_${subject}`.replace(/[^A-Za-z0-9_-]+/g, '_');
}

/**
 * One JetStream consumer per subject, since a list of subjects in one consumer needs NATS 2.10.
 * Each is a loop around "make sure that stream and consumer exist, then read": whatever ends the
 * reading (a restart, a wiped disk, a deleted consumer), the loop begins again.
 */
export function consumeDurably(context: ConsumptionContext): Consumption {
  const loops = context.subjects.map((subject) => consumeSubject(context, subject));
  return {
    restart: () => loops.forEach((loop) => loop.restart()),
    state: async () => (await Promise.all(loops.map((loop) => loop.state()))).flat(),
    stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
  };
}

function consumeSubject(context: ConsumptionContext, subject: string): Consumption {
  const { log, manager, stream, prefix } = context;
  const backoffMs = context.backoffMs ?? defaultBackoffMs;
  const maxDeliver = context.maxDeliver ?? 50;
  const name = consumerName(context.durable, subject);
  let messages: ConsumerMessages | undefined;
  let stopped = false;
  let endWait: (() => void) | undefined;

  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const ensureConsumer = async () => {
    await context.ensureStream();
    await manager.consumers.add(stream, {
      durable_name: name,
      filter_subject: prefix + subject,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ackWaitMs),
      deliver_policy: DeliverPolicy.All,
      // Counted here, where the last failure can be logged; the server's own limit only backs it up.
      max_deliver: maxDeliver + 5,
    });
  };

  const handle = async (message: JsMsg) => {
    const attempt = message.info.deliveryCount;
    const event: DurableEvent = {
      subject: message.subject.slice(prefix.length),
      data: undefined,
      id: message.headers?.get('Nats-Msg-Id') || `${stream}-${message.seq}`,
      attempt,
    };
    // The clock of the acknowledgement ran while the event waited for its turn, and goes on while it is handled.
    message.working();
    const stillWorking = setInterval(() => message.working(), ackWaitMs / 3);
    const count = (result: string) => context.handled?.inc({ consumer: name, result });
    const work = async (span: Span | undefined) => {
      span?.set({ 'nolo.attempt': attempt });
      try {
        event.data = message.json();
        await context.handler(event);
        message.ack();
        count('done');
      } catch (error) {
        span?.fail(errorType(error));
        if (attempt >= maxDeliver) {
          log.error({ err: error, subject: event.subject, id: event.id, attempt }, 'an event was given up');
          message.term();
          count('given_up');
        } else {
          log.warn({ err: error, subject: event.subject, id: event.id, attempt }, 'an event will be tried again');
          message.nak(backoffMs[Math.min(attempt, backoffMs.length) - 1] ?? 1000);
          count('retry');
        }
      }
    };
    try {
      await inMessageSpan(message, event.subject, work);
    } finally {
      clearInterval(stillWorking);
    }
  };

  const run = async () => {
    let failures = 0;
    while (!stopped && !context.isClosed()) {
      try {
        await ensureConsumer();
        const consumer = await manager.jetstream().consumers.get(stream, name);
        const reading = await consumer.consume({
          max_messages: prefetch,
          // Ends the reading where stream or consumer are gone, instead of asking for them for ever.
          abort_on_missing_resource: true,
          expires: 10_000,
          idle_heartbeat: 2000,
        });
        messages = reading;
        if (stopped) await reading.close();
        failures = 0;
        for await (const message of reading) {
          if (stopped) break;
          await handle(message);
        }
      } catch (error) {
        failures += 1;
        if (!stopped && !context.isClosed() && failures === 3)
          log.warn({ err: error, consumer: name }, 'events cannot be read');
      }
      messages = undefined;
      if (!stopped && !context.isClosed()) await wait(Math.min(100 * 2 ** Math.min(failures, 4), 1000));
    }
  };
  const running = run();

  return {
    state: async () => {
      const info = await manager.consumers.info(stream, name);
      return [{ consumer: name, pending: info.num_pending + info.num_ack_pending }];
    },
    restart: () => {
      void messages?.close();
      endWait?.();
    },
    stop: async () => {
      stopped = true;
      endWait?.();
      void messages?.close();
      await running;
    },
  };
}
