import { AckPolicy, DeliverPolicy, type ConsumerMessages, type JetStreamManager, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { ConsumerState } from './busTelemetry.ts';
import type { Log } from './log.ts';

/**
 * Drains events that services of the previous release put into JetStream. This whole file goes away in the next
 * release.
 */
export interface DurableEvent {
  /** Subject without the installation's prefix, for example `event.identity.user_deleted`. */
  subject: string;
  data: unknown;
  /** Id of the event. An event may arrive more than once, always with the same id. */
  id: string;
  /** Trace parent of the cause, if sampled. */
  traceparent: string;
}

export function streamName(prefix = ''): string {
  return prefix ? `${prefix}_NOLO_EVENTS` : 'NOLO_EVENTS';
}

export interface ConsumeOptions {
  /** Consumer name, shared by all replicas of a service: one replica receives each event. */
  durable: string;
  subjects: readonly string[];
  /** Rejection means "retry later". */
  handler: (event: DurableEvent) => Promise<void>;
}

export interface DurableConsumer {
  /** Restarts consumption after a reconnect, because the server may have lost its memory. */
  restart(): void;
  /** Returns the server's view of its consumers. */
  state(): Promise<ConsumerState[]>;
  stop(): Promise<void>;
}

export interface ConsumptionContext extends ConsumeOptions {
  log: Log;
  prefix: string;
  stream: string;
  manager: JetStreamManager;
  isClosed: () => boolean;
}

/** Value with which the previous release created its consumers. */
const maxDeliver = 55;

/**
 * Maximum interval between checks for the stream. New installations never have one. If a stream exists, it existed
 * before this process, so the first check is immediate and later ones become rarer.
 */
const longestWaitMs = 300_000;

/** Time the server waits for a sign of life before it redelivers an event to another consumer. */
const ackWaitMs = 30_000;

/** Number of events to pull ahead. */
const prefetch = 10;

/** Returns a valid JetStream name: without dots, wildcards or spaces. */
function consumerName(durable: string, subject: string): string {
  return `${durable}_${subject}`.replace(/[^A-Za-z0-9_-]+/g, '_');
}

/**
 * Runs one JetStream consumer per subject, because several subjects in one consumer require NATS 2.10. Each is a loop:
 * ensure that the consumer exists, then read. If reading ends for any reason (a restart, a wiped disk), the loop starts
 * over.
 */
export function consumeDurably(context: ConsumptionContext): DurableConsumer {
  const loops = context.subjects.map((subject) => consumeSubject(context, subject));
  return {
    restart: () => loops.forEach((loop) => loop.restart()),
    state: async () => (await Promise.all(loops.map((loop) => loop.state()))).flat(),
    stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
  };
}

function consumeSubject(context: ConsumptionContext, subject: string): DurableConsumer {
  const { log, manager, stream, prefix } = context;
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
    await manager.consumers.add(stream, {
      durable_name: name,
      filter_subject: prefix + subject,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ackWaitMs),
      deliver_policy: DeliverPolicy.All,
      max_deliver: maxDeliver,
    });
  };

  const handle = async (message: JsMsg) => {
    try {
      await context.handler({
        subject: message.subject.slice(prefix.length),
        data: message.json(),
        id: message.headers?.get('Nats-Msg-Id') || `${stream}-${message.seq}`,
        traceparent: message.headers?.get('traceparent') ?? '',
      });
      message.ack();
    } catch (error) {
      log.warn({ err: error, subject: message.subject }, 'event of the previous release failed; retrying');
      message.nak(1000);
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
          // Stops reading if the stream or consumer is gone, instead of retrying forever.
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
        if (failures === 1) log.debug({ err: error, consumer: name }, 'no events of the previous release');
      }
      messages = undefined;
      if (!stopped && !context.isClosed()) await wait(Math.min(100 * 2 ** Math.min(failures, 12), longestWaitMs));
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
