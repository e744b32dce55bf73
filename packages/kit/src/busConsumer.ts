import { AckPolicy, DeliverPolicy, type ConsumerMessages, type JetStreamManager, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { ConsumerState } from './busTelemetry.ts';
import type { Log } from './log.ts';

/** What services of the version before put into JetStream, which this one drains. All of this file goes with the next one. */
export interface DurableEvent {
  /** Without the installation's prefix, for example `event.identity.user_deleted`. */
  subject: string;
  data: unknown;
  /** The same event may come more than once, always under the same id. */
  id: string;
  /** Of what caused it, where its trace is kept. */
  traceparent: string;
}

export function streamName(prefix = ''): string {
  return prefix ? `${prefix}_NOLO_EVENTS` : 'NOLO_EVENTS';
}

export interface ConsumeOptions {
  /** The consumer's name, shared by all replicas of a service: one of them gets each event. */
  durable: string;
  subjects: readonly string[];
  /** Rejecting means "again later". */
  handler: (event: DurableEvent) => Promise<void>;
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
  prefix: string;
  stream: string;
  manager: JetStreamManager;
  isClosed: () => boolean;
}

/** As the version before made its consumers. */
const maxDeliver = 55;

/**
 * Waits for a stream that may never be there, since new installations have none. Where there is one, it was there before
 * this process; so it is looked for at once, and then ever more seldom.
 */
const longestWaitMs = 300_000;

/** How long the server waits for a sign of life before it gives an event to someone else. */
const ackWaitMs = 30_000;

/** Events pulled ahead. */
const prefetch = 10;

/** JetStream's names may hold no dots, wildcards or spaces. */
function consumerName(durable: string, subject: string): string {
  return `${durable}_${subject}`.replace(/[^A-Za-z0-9_-]+/g, '_');
}

/**
 * One JetStream consumer per subject, since a list of subjects in one consumer needs NATS 2.10.
 * Each is a loop around "make sure that the consumer exists, then read": whatever ends the reading (a restart, a wiped
 * disk), the loop begins again.
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
      log.warn({ err: error, subject: message.subject }, 'an event of the version before will be tried again');
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
        if (failures === 1) log.debug({ err: error, consumer: name }, 'there are no events of the version before');
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
