/**
 * Measures a status update of a user with 2,000 connected contacts: from the request to the socket of the last contact,
 * against a bare `ws` broadcast.
 */
import { randomUUID } from 'node:crypto';
import { Headless } from '@nolo/testing';
import { forkBareServer, forkGroupMembers } from './support/forks.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import {
  readCpuMs,
  readProcessTreeCpuMs,
  median,
  printTable,
  quantile,
  printLine,
  getWallClockMs,
} from './support/measure.ts';
import { createMessageFrame } from './support/createMessageFrame.ts';
import { createLoadPeople } from './support/people.ts';

const contacts = Number(process.argv[2] ?? 2_000);
/** Number of alternating authors, each below the limit of status updates. */
const authors = 5;
const rounds = 5;
const perRound = 20;

async function measure(stack: LoadStack): Promise<void> {
  const people = await createLoadPeople(stack, authors + contacts);
  const [posting, viewing] = [people.slice(0, authors), people.slice(authors)];
  // Contacts as status gets them from identity's events.
  await stack.database('status').raw(
    `with pair as (select author, viewer from unnest(?::uuid[]) as author, unnest(?::uuid[]) as viewer)
     insert into contacts (owner_id, user_id) select author, viewer from pair union all select viewer, author from pair`,
    [posting.map(({ id }) => id), viewing.map(({ id }) => id)],
  );
  const callers = posting.map(({ tokens }) => new Headless(stack.url, tokens[0] ?? ''));
  const bare = forkBareServer();
  const ends = { bare: forkGroupMembers(), ours: forkGroupMembers() };
  const sockets = viewing.map(({ tokens }) => ({ token: tokens[0] ?? '', localAddress: '127.0.0.1' }));
  const open = { ask: 'open', atOnce: 20, sockets } as const;
  await ends.bare.ask({ ...open, url: `ws://127.0.0.1:${await bare.ask({ ask: 'port' })}` });
  await ends.ours.ask({ ...open, url: `${stack.url.replace('http', 'ws')}/ws` });
  const arrival = async (end: typeof ends.ours) => {
    const [one] = await end.ask({ ask: 'arrivals', count: 1, withinMs: 30_000 });
    if (!one) throw new Error('Nothing arrived.');
    return one;
  };

  const broadcast = async () => {
    const began = await bare.ask({ ask: 'broadcastAt', frame: createMessageFrame(randomUUID()) });
    return (await arrival(ends.bare)).last - began;
  };
  let posted = 0;
  const post = async () => {
    const body = { mediaType: 'text', content: 'x'.repeat(120), clientStatusId: randomUUID() };
    const began = getWallClockMs();
    await callers[(posted += 1) % authors]?.call('POST', '/api/status-updates', body);
    const answered = getWallClockMs() - began;
    const { first, last } = await arrival(ends.ours);
    return { answered, first: first - began, last: last - began };
  };
  const usage = () => ({
    gateway: readCpuMs(stack.pid('gateway')),
    status: readCpuMs(stack.pid('status')),
    postgres: readProcessTreeCpuMs(stack.backing.postgres.pid() ?? 0),
    'the sockets': readCpuMs(ends.ours.pid),
  });

  for (let index = 0; index < authors; index += 1) {
    await broadcast();
    await post();
  }
  const rows: (string | number)[][] = [];
  const every: Awaited<ReturnType<typeof post>>[] = [];
  const everyBare: number[] = [];
  const cpu: Record<string, number> = {};
  for (let round = 1; round <= rounds; round += 1) {
    const limit: number[] = [];
    for (let index = 0; index < perRound; index += 1) limit.push(await broadcast());
    const before: Record<string, number> = usage();
    const ours: typeof every = [];
    for (let index = 0; index < perRound; index += 1) ours.push(await post());
    for (const [name, value] of Object.entries(usage())) cpu[name] = (cpu[name] ?? 0) + value - (before[name] ?? 0);
    everyBare.push(...limit);
    every.push(...ours);
    const last = ours.map((one) => one.last);
    rows.push([
      `${round}`,
      median(limit),
      quantile(limit, 0.99),
      median(ours.map(({ answered }) => answered)),
      median(ours.map(({ first }) => first)),
      median(last),
      quantile(last, 0.99),
    ]);
  }
  printTable(
    [
      'round',
      `bare ws, last of ${contacts}: p50 ms`,
      'p99',
      'POST to answer p50',
      'to first p50',
      'to last p50',
      'p99',
    ],
    rows,
  );
  const last = every.map((one) => one.last);
  printLine(
    `POST to the last of ${contacts} sockets: p50 ${median(last).toFixed(0)} ms, p99 ${quantile(last, 0.99).toFixed(0)} ms, worst ${Math.max(...last).toFixed(0)} ms (${last.length} status updates, one after another). A bare broadcast of the same size: p50 ${median(everyBare).toFixed(0)} ms, p99 ${quantile(everyBare, 0.99).toFixed(0)} ms.`,
  );
  printTable(
    ['CPU', 'ms per status update'],
    Object.entries(cpu).map(([name, value]) => [name, value / every.length]),
  );
  bare.stop();
  for (const end of Object.values(ends)) end.stop();
  for (const caller of callers) caller.close();
}

await measureOnStack(`A status update for ${contacts} contacts, all connected`, measure);
