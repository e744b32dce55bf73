/**
 * Measures live delivery while someone holds a snapshot, as a backup does, so that deleted rows stay in the tables.
 * `npm run load -- heldSnapshot [minutes] [messages a second] [rows]`, by default 10, 100 and none. The rows pass
 * through the outbox as soon as the snapshot exists, as they would have in a longer time.
 */
import { randomUUID } from 'node:crypto';
import { converse, greeted, Headless, type TestFrame } from '@nolo/testing';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { printTable, quantile, printLine } from './support/measure.ts';
import { createLoadPeople, type LoadPerson } from './support/people.ts';

const [minutes = 10, perSecond = 100, goneRows = 0] = process.argv.slice(2).map(Number);
const pairs = 64;
const content = 'x'.repeat(120);

interface Sent {
  at: number;
  answeredAt?: number;
  arrivedAt?: number;
}

/** Connects two users; the first sends to the second. */
async function openPair(url: string, [one, other]: readonly [LoadPerson, LoadPerson], arrived: (id: string) => void) {
  const caller = new Headless(url, one.tokens[0] ?? '');
  const reader = new Headless(url, other.tokens[0] ?? '');
  const conversationId = (await converse({ id: one.id, api: caller }, { id: other.id, api: reader })).id as string;
  const onFrame = ({ type, data }: TestFrame) => {
    if (type === 'new_message') arrived(String(data['clientMessageId']));
  };
  const socket = await greeted(reader.dial({ onFrame }));
  return { caller, socket, conversationId };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function measure(stack: LoadStack): Promise<void> {
  const people = await createLoadPeople(stack, pairs * 2);
  const sent = new Map<string, Sent>();
  const couples = await Promise.all(
    Array.from({ length: pairs }, (_, index) =>
      openPair(
        stack.url,
        [people[index * 2]!, people[index * 2 + 1]!],
        (id) => void Object.assign(sent.get(id) ?? {}, { arrivedAt: performance.now() }),
      ),
    ),
  );
  const restore = await stack.liftLimits(people.map(({ id }) => id));
  let next = 0;

  /** Sends at the requested rate, however long each message takes. */
  const rush = async (title: string, seconds: number): Promise<(string | number)[]> => {
    sent.clear();
    const calls: Promise<unknown>[] = [];
    const began = performance.now();
    for (let index = 0; index < seconds * perSecond; index += 1) {
      const due = began + (index * 1000) / perSecond - performance.now();
      if (due > 0) await pause(due);
      const couple = couples[next++ % pairs]!;
      const clientMessageId = randomUUID();
      const one: Sent = { at: performance.now() };
      sent.set(clientMessageId, one);
      const body = { conversationId: couple.conversationId, content, clientMessageId };
      calls.push(couple.caller.call('POST', '/api/messages', body).then(() => (one.answeredAt = performance.now())));
    }
    await Promise.all(calls);
    const until = performance.now() + 30_000;
    while ([...sent.values()].some(({ arrivedAt }) => arrivedAt === undefined)) {
      if (performance.now() > until) throw new Error('Messages did not arrive.');
      await pause(20);
    }
    const all = [...sent.values()];
    const answered = all.map(({ at, answeredAt = at }) => answeredAt - at);
    const whole = all.map(({ at, arrivedAt = at }) => arrivedAt - at);
    // Share of the relay. A frame may arrive before the answer.
    const relayLatencies = all.map(({ answeredAt = 0, arrivedAt = 0 }) => Math.max(0, arrivedAt - answeredAt));
    return [
      title,
      all.length,
      ...[answered, whole, relayLatencies].flatMap((ms) => [quantile(ms, 0.5), quantile(ms, 0.99)]),
    ];
  };

  await rush('warming up', 20);
  const rows = [await rush('without a snapshot', 60)];
  const chat = stack.database('chat');
  const holder = await chat.transaction({ isolationLevel: 'repeatable read', readOnly: true });
  await holder.raw('set local idle_in_transaction_session_timeout = 0');
  await holder.raw('select count(*) from outbox');
  // Inserts and deletes batches, each of which is gone with its transaction, so that no relay sees them.
  for (let gone = 0; gone < goneRows; gone += 10_000) {
    await chat.transaction(async (trx) => {
      await trx.raw(
        `insert into outbox (id, subject, payload)
        select ordered_id(n), 'load', jsonb_build_object('words', repeat('x', 600)) from generate_series(1, 10000) as n`,
      );
      await trx.raw(`delete from outbox where subject = 'load'`);
    });
  }
  for (let minute = 1; minute <= minutes; minute += 1) rows.push(await rush(`minute ${minute} with a snapshot`, 60));
  const size = (await chat.raw(`select pg_total_relation_size('outbox')::int8 as bytes`)) as {
    rows: { bytes: number }[];
  };
  await holder.rollback();
  rows.push(await rush('after it', 30));
  const head = ['', 'messages', 'answer p50 ms', 'p99', 'POST to frame p50 ms', 'p99', 'answer to frame p50 ms', 'p99'];
  printTable(head, rows);
  const [calm, last] = [rows[0], rows[minutes]];
  const ratio = (column: number) => (Number(last?.[column]) / Number(calm?.[column])).toFixed(2);
  printLine(
    `${pairs} conversations, ${perSecond} messages a second, ${goneRows} rows deleted before. p99 of the last minute relative to that without a snapshot: ` +
      `POST to frame ${ratio(5)}, answer to frame ${ratio(7)}. The outbox took up ${Math.round((size.rows[0]?.bytes ?? 0) / 1e6)} MB.`,
  );
  await restore();
  for (const { caller, socket } of couples) {
    caller.close();
    socket.terminate();
  }
}

await measureOnStack('Live delivery while a snapshot is held', measure);
