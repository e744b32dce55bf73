import { connectBus } from '@nolo/kit/bus';
import type { Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import { createLog } from '@nolo/kit/log';
import { bindRpcService, serveRpc, type RpcService } from '@nolo/kit/rpc';
import { EventLogServiceDefinition, type Event } from '@nolo/proto/events';
import type { TestEnvironment } from './testEnvironment.ts';

export interface TestEvents {
  /** Address of a dedicated server that answers for every service. */
  address: string;
  /** Event log for a server that simulates other parts of the service too. */
  service: RpcService;
  /** Writes an event and wakes readers. Events are ordered unless they have their own keys. */
  publishEvent(subject: string, payload: unknown, id?: string, key?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts event logs of the services whose events the service under test reads. */
export async function startTestEvents(
  { natsUrl, natsPrefix }: Pick<TestEnvironment<string>, 'natsUrl' | 'natsPrefix'>,
  secret: string,
): Promise<TestEvents> {
  const log = createLog({ service: 'test', level: 'silent' });
  const bus = await connectBus({ url: natsUrl, prefix: natsPrefix, name: 'test', log });
  const events: Event[] = [];
  const service = bindRpcService(EventLogServiceDefinition, {
    async readEvents({ after, subjects, limit }) {
      const found = events.filter(({ position, subject }) => position > after && subjects.includes(subject));
      const some = found.slice(0, limit);
      const position = some.length < found.length ? (some.at(-1)?.position ?? after) : events.length;
      return { events: some, position, lastPosition: events.length, sweptPosition: 0 };
    },
  });
  const server = await serveRpc({ listen: { host: '127.0.0.1', port: 0 }, secret, log, services: [service] });
  return {
    address: `127.0.0.1:${server.port}`,
    service,
    async publishEvent(subject, payload, id = newId(), key = 'everybody') {
      const position = events.length + 1;
      const createdAt = new Date();
      events.push({ position, id, subject, key, payload: JSON.stringify(payload), createdAt, traceparent: '' });
      bus.publish(`wake.events.${subject.split('.')[1] ?? ''}`, {});
      await bus.flush();
    },
    async stop() {
      await bus.close();
      await server.stop();
    },
  };
}

/** Calls back with each event that a service writes from now on, in order, until the returned function is called. */
export async function followEvents(
  db: Knex,
  subjects: readonly string[],
  onEvent: (event: { subject: string; data: unknown }) => void,
): Promise<() => void> {
  const last = (await db('events').max('written as written').first()) as { written: number | null } | undefined;
  let after = last?.written ?? 0;
  let isLooking = false;
  const poll = async () => {
    const rows = (await db('events').where('written', '>', after).orderBy('written')) as {
      written: number;
      subject: string;
      payload: unknown;
    }[];
    for (const { written, subject, payload } of rows) {
      after = written;
      if (subjects.includes(subject)) onEvent({ subject, data: payload });
    }
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // A missing database means that the test has ended.
    void poll().then(
      () => (isLooking = false),
      () => undefined,
    );
  }, 50);
  timer.unref();
  return () => clearInterval(timer);
}
