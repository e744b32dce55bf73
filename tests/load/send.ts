/**
 * Measures durable send to receive: 16 senders in one conversation, against the raw insert rate of the same Postgres.
 */
import { randomUUID } from 'node:crypto';
import type { Knex } from '@nolo/kit/db';
import { converse, dial, greeted, Headless, type TestFrame } from '@nolo/testing';
import { readAllCpuMs } from './support/readAllCpuMs.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { median, printTable, quantile, printLine } from './support/measure.ts';
import { createLoadPeople } from './support/people.ts';

const senders = 16;
const pairs = 7;
const roundMs = 4000;
const content = 'x'.repeat(120);

interface Round {
  perSecond: number;
  count: number;
  ms: number[];
}

/** Sixteen at a time, each as fast as answers arrive. */
async function rush(work: (sender: number) => Promise<void>): Promise<Round> {
  const ms: number[] = [];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      while (performance.now() - began < roundMs) {
        const from = performance.now();
        await work(sender);
        ms.push(performance.now() - from);
      }
    }),
  );
  return { perSecond: (ms.length * 1000) / (performance.now() - began), count: ms.length, ms };
}

interface RawConnection {
  query(config: { name: string; text: string; values: unknown[] }, done: (error: Error | null) => void): void;
}

/** Baseline: rows of the same width into a table with one index, with a connection and a commit for each. */
async function rawInserts(chat: Knex) {
  await chat.raw('create table load_raw (like messages including defaults)');
  await chat.raw('alter table load_raw add primary key (id)');
  // Straight from the pool, bypassing knex, whose work is not the database's.
  const pool = chat.client as {
    acquireConnection(): Promise<RawConnection>;
    releaseConnection(connection: RawConnection): Promise<void>;
  };
  const connections = await Promise.all(Array.from({ length: senders }, () => pool.acquireConnection()));
  const room = randomUUID();
  const text = `insert into load_raw (conversation_id, seq, id, sender_id, client_message_id, change_seq, content,
    encryption, message_type, created_at) values ($1, $2, $3, $4, $5, $6, $7, 'none', 'text', now())`;
  let seq = 0;
  const insert = (sender: number) =>
    new Promise<void>((resolve, reject) => {
      seq += 1;
      const values = [room, seq, randomUUID(), room, randomUUID(), seq, content];
      connections[sender]?.query({ name: 'raw', text, values }, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  return {
    insert,
    release: async () => {
      for (const connection of connections) await pool.releaseConnection(connection);
    },
  };
}

/** Opens the users' sockets, which record when each message arrives at the recipient. */
async function receivers(url: string, people: readonly { id: string; tokens: string[] }[]) {
  const begun = new Map<string, { at: number; senderId: string }>();
  let latencies: number[] = [];
  let arrived: () => void = () => undefined;
  const sockets = await Promise.all(
    people.map(async ({ id, tokens }) => {
      const onFrame = ({ type, data }: TestFrame) => {
        const clientMessageId = String(data['clientMessageId']);
        const sent = type === 'new_message' ? begun.get(clientMessageId) : undefined;
        if (!sent || sent.senderId === id) return;
        latencies.push(performance.now() - sent.at);
        begun.delete(clientMessageId);
        if (begun.size === 0) arrived();
      };
      return greeted(dial(url, tokens.at(-1), { onFrame }));
    }),
  );
  return {
    sent: (clientMessageId: string, senderId: string) =>
      begun.set(clientMessageId, { at: performance.now(), senderId }),
    /** Waits until every message has arrived, and returns the latencies. */
    async all(): Promise<number[]> {
      if (begun.size > 0) {
        await new Promise<void>((resolve, reject) => {
          arrived = resolve;
          setTimeout(() => reject(new Error(`${begun.size} messages did not arrive.`)), 30_000).unref();
        });
      }
      const taken = latencies;
      latencies = [];
      return taken;
    },
    close: () => sockets.forEach((socket) => socket.terminate()),
  };
}

async function measure(stack: LoadStack): Promise<void> {
  const people = await createLoadPeople(stack, 2, senders / 2 + 1);
  const [one, other] = people;
  if (!one || !other) throw new Error('No users are available.');
  const callers = Array.from({ length: senders }, (_, sender) => ({
    senderId: people[sender % 2]?.id ?? '',
    device: new Headless(stack.url, people[sender % 2]?.tokens[Math.floor(sender / 2)] ?? ''),
  }));
  const [ones, others] = callers.map(({ device }) => device) as [Headless, Headless];
  const conversationId = (await converse({ id: one.id, api: ones }, { id: other.id, api: others })).id as string;
  const inbox = await receivers(stack.url, people);
  const restore = await stack.liftLimits(people.map(({ id }) => id));
  const raw = await rawInserts(stack.database('chat', senders));
  const send = async (sender: number) => {
    const caller = callers[sender];
    const clientMessageId = randomUUID();
    inbox.sent(clientMessageId, caller?.senderId ?? '');
    await caller?.device.call('POST', '/api/messages', { conversationId, content, clientMessageId });
  };
  const usage = () => readAllCpuMs(stack, { senders: process.pid });

  // Warms up compilers, caches and plans.
  await rush(raw.insert);
  await rush(send);
  await inbox.all();
  const rows: (string | number)[][] = [];
  const ratios: number[] = [];
  const everyLatency: number[] = [];
  const cpu: Record<string, number> = {};
  let messages = 0;
  for (let pair = 1; pair <= pairs; pair += 1) {
    const limit = await rush(raw.insert);
    const before = usage();
    const ours = await rush(send);
    const latencies = await inbox.all();
    const after = usage();
    for (const [name, value] of Object.entries(after)) cpu[name] = (cpu[name] ?? 0) + value - (before[name] ?? 0);
    messages += ours.count;
    everyLatency.push(...latencies);
    ratios.push(ours.perSecond / limit.perSecond);
    rows.push([
      `${pair}`,
      limit.perSecond,
      ours.perSecond,
      ours.perSecond / limit.perSecond,
      quantile(ours.ms, 0.5),
      quantile(ours.ms, 0.99),
      quantile(latencies, 0.5),
      quantile(latencies, 0.99),
    ]);
  }
  printTable(
    ['pair', 'raw inserts/s', 'messages/s', 'ratio', 'answer p50 ms', 'p99', 'POST to frame p50 ms', 'p99'],
    rows,
  );
  printLine(
    `Median ratio ${median(ratios).toFixed(2)}; POST to frame over all rounds: p50 ${quantile(everyLatency, 0.5).toFixed(1)} ms, p99 ${quantile(everyLatency, 0.99).toFixed(1)} ms (${messages} messages).`,
  );
  printTable(
    ['CPU', 'ms per message'],
    Object.entries(cpu).map(([name, value]) => [name, value / messages]),
  );

  // A single sender, one message after another: how a quiet conversation feels.
  for (let index = 0; index < 300; index += 1) {
    await send(0);
    if (index === 49) await inbox.all();
  }
  const alone = await inbox.all();
  printLine(
    `One sender, one message after another: POST to frame p50 ${quantile(alone, 0.5).toFixed(1)} ms, p99 ${quantile(alone, 0.99).toFixed(1)} ms.`,
  );
  await restore();
  await raw.release();
  inbox.close();
  for (const { device } of callers) device.close();
}

await measureOnStack('Durable send to receive, 16 senders in one conversation', measure);
