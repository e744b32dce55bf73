/** Measures a message in a group of 500: from its commit to the last member's socket, against a bare `ws` broadcast. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDb } from '@nolo/kit/db';
import { Headless } from '@nolo/testing';
import type { BackingServices } from '../../scripts/stack.ts';
import { readAllCpuMs } from './support/readAllCpuMs.ts';
import { forkBareServer, forkGroupMembers, type MessageArrival } from './support/forks.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { median, printTable, quantile, printLine, getWallClockMs } from './support/measure.ts';
import { createMessageFrame } from './support/createMessageFrame.ts';
import { createLoadPeople } from './support/people.ts';

const members = 500;
/** Number of alternating senders, each far below an account's message limit. */
const senders = 5;
const rate = Number(process.argv[2] ?? 10);
const gateways = Number(process.argv[3] ?? 1);
const pairs = 7;
const perRound = 100;
const warmUp = 30;

/** Makes Postgres record when each transaction commits: right before its commit record is written to disk. */
async function enableCommitTimestamps(backing: BackingServices): Promise<void> {
  const admin = createDb({ url: backing.databaseUrl, schema: 'public', poolMax: 1 });
  await admin.raw('alter system set track_commit_timestamp = on');
  await admin.destroy();
  await backing.postgres.stop();
  await backing.postgres.start();
}

/** Runs work at a steady rate, regardless of earlier runs. */
async function steadily(count: number, work: (index: number) => Promise<void>): Promise<void> {
  const began = performance.now();
  const running: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    await sleep(Math.max(0, began + (index * 1000) / rate - performance.now()));
    running.push(work(index));
  }
  await Promise.all(running);
}

async function measure(stack: LoadStack): Promise<void> {
  const people = await createLoadPeople(stack, members);
  const callers = people.slice(0, senders).map(({ tokens }) => new Headless(stack.url, tokens[0] ?? ''));
  const [creator] = callers as [Headless];
  const [owner, ...others] = people;
  const created = await creator.call('POST', '/api/groups', {
    name: 'Everybody',
    memberIds: others.map(({ id }) => id),
  });
  const group = created.body as { id: string; memberCount: number };
  if (group.memberCount !== members) throw new Error(`The group has ${group.memberCount} members.`);

  const bare = forkBareServer();
  const ends = { bare: forkGroupMembers(), ours: forkGroupMembers() };
  const wanted = people.map(({ tokens }) => ({ token: tokens[0] ?? '', localAddress: '127.0.0.1' }));
  const open = { ask: 'open', atOnce: 20 } as const;
  await ends.bare.ask({ ...open, url: `ws://127.0.0.1:${await bare.ask({ ask: 'port' })}`, sockets: wanted });
  const urls = stack.stack.urls.map((url) => `${url.replace('http', 'ws').replace('localhost', '127.0.0.1')}/ws`);
  for (const [index, url] of urls.entries()) {
    await ends.ours.ask({ ...open, url, sockets: wanted.filter((_, place) => place % urls.length === index) });
  }
  const arrivalsOf = async (end: typeof ends.ours, count: number) =>
    new Map((await end.ask({ ask: 'arrivals', count, withinMs: 30_000 })).map((one) => [one.id, one]));

  const broadcasts = async (count: number) => {
    const begun = new Map<string, number>();
    await steadily(count, async () => {
      const frame = createMessageFrame(owner?.id ?? '');
      begun.set(frame.data.clientMessageId, await bare.ask({ ask: 'broadcastAt', frame }));
    });
    const arrivals = await arrivalsOf(ends.bare, count);
    return [...begun].map(([id, at]) => (arrivals.get(id) as MessageArrival).last - at);
  };

  const chat = stack.database('chat');
  const messages = async (count: number) => {
    const sent = new Map<string, { posted: number; answered: number }>();
    await steadily(count, async (index) => {
      const clientMessageId = randomUUID();
      const posted = getWallClockMs();
      const message = { conversationId: group.id, content: 'x'.repeat(120), clientMessageId };
      await callers[index % senders]?.call('POST', '/api/messages', message);
      sent.set(clientMessageId, { posted, answered: getWallClockMs() });
    });
    const arrivals = await arrivalsOf(ends.ours, count);
    const { rows } = (await chat.raw(
      `select client_message_id as id, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as at
       from messages where client_message_id = any(?::uuid[])`,
      [[...sent.keys()]],
    )) as { rows: { id: string; at: number }[] };
    return rows.map(({ id, at }) => {
      const { first, last } = arrivals.get(id) as MessageArrival;
      const { posted, answered } = sent.get(id) as { posted: number; answered: number };
      return { first: first - at, last: last - at, answer: answered - at, whole: last - posted };
    });
  };

  await broadcasts(warmUp);
  await messages(warmUp);
  const usage = () => readAllCpuMs(stack, { 'the 500 sockets': ends.ours.pid, 'the senders': process.pid });
  const rows: (string | number)[][] = [];
  const cpu: Record<string, number> = {};
  const ratios: number[] = [];
  const every: Awaited<ReturnType<typeof messages>> = [];
  const everyBare: number[] = [];
  for (let pair = 1; pair <= pairs; pair += 1) {
    const limit = await broadcasts(perRound);
    const before = usage();
    const ours = await messages(perRound);
    for (const [name, value] of Object.entries(usage())) cpu[name] = (cpu[name] ?? 0) + value - (before[name] ?? 0);
    everyBare.push(...limit);
    every.push(...ours);
    const last = ours.map((one) => one.last);
    ratios.push(median(last) / median(limit));
    rows.push([
      `${pair}`,
      median(limit),
      quantile(limit, 0.99),
      median(ours.map(({ first }) => first)),
      median(last),
      quantile(last, 0.99),
      Math.max(...last),
      median(ours.map(({ answer }) => answer)),
      quantile(
        ours.map(({ whole }) => whole),
        0.99,
      ),
    ]);
  }
  printTable(
    [
      'pair',
      'bare ws, last of 500: p50 ms',
      'p99',
      'commit to first p50',
      'commit to last p50',
      'p99',
      'max',
      'commit to answer p50',
      'POST to last p99',
    ],
    rows,
  );
  const last = every.map((one) => one.last);
  printLine(
    `Commit to the last of ${members} sockets: p50 ${median(last).toFixed(1)} ms, p99 ${quantile(last, 0.99).toFixed(1)} ms, worst ${Math.max(...last).toFixed(1)} ms (${last.length} messages, ${rate}/s, ${urls.length} gateway(s)). A bare broadcast of the same size: p50 ${median(everyBare).toFixed(1)} ms, p99 ${quantile(everyBare, 0.99).toFixed(1)} ms, worst ${Math.max(...everyBare).toFixed(1)} ms; median ratio of the p50 ${median(ratios).toFixed(2)}.`,
  );
  printLine("All times are wall clock times of the machine; the commit time is the one in Postgres's commit record.");
  printTable(
    ['CPU', 'ms per message'],
    Object.entries(cpu).map(([name, value]) => [name, value / every.length]),
  );
  bare.stop();
  for (const end of Object.values(ends)) end.stop();
  for (const caller of callers) caller.close();
}

await measureOnStack(`A group of ${members}, all connected`, measure, { gateways, prepare: enableCommitTimestamps });
