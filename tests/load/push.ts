/**
 * Measures from the commit of a message to the push service's receipt, with 200 subscribed browsers: alone, in pairs of
 * users who write in turn, and as a message to a group of all of them. The push service runs on this machine; it checks
 * every proof and decrypts every push.
 */
import { randomUUID } from 'node:crypto';
import { converse, startTestPushService, TestApi, type SubscribedBrowser, type ReceivedPush } from '@nolo/testing';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { printTable, printLine } from './support/measure.ts';
import { createLoadPeople } from './support/people.ts';

const subscribers = Number(process.argv[2] ?? 200);
const rounds = 5;
/** Target for a message to one user; a group's message needs as much for each of its members at once. */
const targetMs = 500;
const perSecond = 20;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function measure(stack: LoadStack): Promise<number> {
  const pushes = await startTestPushService();
  const people = await createLoadPeople(stack, subscribers + 1);
  const [writer, ...readers] = people;
  if (!writer) throw new Error('Nobody writes.');
  await stack.liftLimits(people.map(({ id }) => id));
  const apiOf = (token = '') => new TestApi(stack.url, token);
  const api = apiOf(writer.tokens[0]);
  const must = async <Body>(replyPromise: Promise<{ status: number; body: Body }>): Promise<Body> => {
    const { status, body } = await replyPromise;
    if (status >= 300) throw new Error(`answered with ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const browsers = readers.map(() => pushes.browser());
  for (const [index, reader] of readers.entries()) {
    await must(apiOf(reader.tokens[0]).put('/api/push/subscription', browsers[index]?.subscription));
  }
  const direct: string[] = [];
  for (const reader of readers) {
    direct.push((await converse({ id: writer.id, api }, { id: reader.id, api: apiOf(reader.tokens[0]) })).id as string);
  }
  const memberIds = readers.map(({ id }) => id);
  const group = await must(api.post<{ id: string }>('/api/groups', { name: 'Everybody', memberIds, isPublic: false }));

  const latencies: number[] = [];
  // The event's own time is that of the commit in the database; both clocks are this machine's.
  pushes.onReceived((_browser: SubscribedBrowser, { body, at }: ReceivedPush) =>
    latencies.push(at - Date.parse(String(body['at']))),
  );
  const write = (conversationId: string) =>
    must(api.post('/api/messages', { conversationId, content: 'Load', clientMessageId: randomUUID() }));
  const until = async (count: number) => {
    const end = performance.now() + 60_000;
    while (latencies.length < count) {
      if (performance.now() > end) throw new Error(`${latencies.length} of ${count} pushes arrived.`);
      await pause(20);
    }
  };
  const at = (times: number[], share: number) =>
    times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? 0;
  const row = (name: string) => {
    const times = latencies.splice(0);
    return [name, times.length, at(times, 0.5), at(times, 0.95), at(times, 0.99), at(times, 1)] as const;
  };

  // Warms up the compiler and connections.
  await write(group.id);
  await until(subscribers);
  latencies.length = 0;
  const rows: (readonly (string | number)[])[] = [];
  const began = performance.now();
  for (const [index, id] of direct.entries()) {
    await pause(began + (index * 1_000) / perSecond - performance.now());
    await write(id);
  }
  await until(subscribers);
  const alone = row(`one person each, ${perSecond} a second`);
  rows.push(alone);
  for (let round = 0; round < rounds; round += 1) {
    await write(group.id);
    await until(subscribers * (round + 1));
  }
  rows.push(row(`a group of ${subscribers}, ${rounds} times`));
  printTable(
    ['', 'pushes', 'p50, ms', 'p95, ms', 'p99, ms', 'longest, ms'],
    rows.map((one) => [...one]),
  );
  if (pushes.objections.length > 0) throw new Error(pushes.objections[0]);
  await pushes.stop();
  const isMet = alone[3] <= targetMs;
  printLine(
    `${subscribers} subscriptions; p95 of ${targetMs} ms ${isMet ? 'met' : 'missed'} for messages to one person.`,
  );
  return isMet ? 0 : 1;
}

await measureOnStack('Push from the commit to the push service', measure, {
  webhooks: true,
  // The writer is new and starts conversations with two hundred people.
  env: { PUSH_NETWORKS: '127.0.0.0/8', NEW_ACCOUNT_HOURS: '0' },
});
