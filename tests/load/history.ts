/** Measures pages of a conversation with 2,000,000 messages at the API: the newest, the middle and the oldest. */
import { randomUUID } from 'node:crypto';
import { Headless, converse } from '@nolo/testing';
import { forkBareHttp } from './support/forks.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { median, printTable, quantile, printLine } from './support/measure.ts';
import { createLoadPeople } from './support/people.ts';

const total = Number(process.argv[2] ?? 2_000_000);
const perStatement = 250_000;
const rounds = 7;
const perRound = 60;
/** Baseline: the same bytes from a server that does nothing, to show the share of the machine and its neighbors. */
const bareName = 'a page from a bare server';

/** Inserts as many messages as a family writes in a lifetime, straight into chat's own tables. */
async function fill(stack: LoadStack, conversationId: string, senderIds: readonly string[]): Promise<void> {
  const chat = stack.database('chat');
  const [one = '', other = ''] = senderIds;
  for (let from = 1; from <= total; from += perStatement) {
    const to = Math.min(total, from + perStatement - 1);
    await chat.raw(
      `insert into messages (conversation_id, seq, id, sender_id, client_message_id, change_seq, content, encryption,
         message_type, created_at)
       select ?::uuid, n, gen_random_uuid(), case when n % 2 = 0 then ?::uuid else ?::uuid end, gen_random_uuid(), n + 2,
         repeat('x', 20 + n % 200), 'none', 'text', now() - (? - n) * interval '10 seconds'
       from generate_series(?::int, ?::int) n`,
      [conversationId, one, other, total, from, to],
    );
  }
  await chat.raw(`update conversations set last_seq = ?, last_change_seq = ?, last_message_at = now() where id = ?`, [
    total,
    total + 2,
    conversationId,
  ]);
  // Autovacuum would have done this long ago.
  await chat.raw('vacuum analyze messages');
}

async function measure(stack: LoadStack): Promise<void> {
  const people = await createLoadPeople(stack, 2);
  const [one, other] = people;
  if (!one || !other) throw new Error('No users are available.');
  const caller = new Headless(stack.url, one.tokens[0] ?? '');
  const restore = await stack.liftLimits([one.id]);
  const reader = new Headless(stack.url, other.tokens[0] ?? '');
  const id = (await converse({ id: one.id, api: caller }, { id: other.id, api: reader })).id as string;
  const path = `/api/conversations/${id}`;
  const began = performance.now();
  await fill(stack, id, [one.id, other.id]);
  printLine(`${total} messages written in ${((performance.now() - began) / 1000).toFixed(0)} s.`);

  const somewhere = () => Math.floor(101 + Math.random() * (total - 101));
  const pages: Record<string, () => string> = {
    'newest page': () => `${path}/messages?limit=100`,
    'a page in the middle': () => `${path}/messages?limit=100&before=${total / 2}`,
    'a page somewhere': () => `${path}/messages?limit=100&before=${somewhere()}`,
    'oldest page': () => `${path}/messages?limit=100&after=0`,
    'changes since the middle': () => `${path}/changes?limit=100&since=${total / 2}`,
    'the conversation alone': () => path,
  };
  const bare = forkBareHttp();
  const newest = await caller.call('GET', `${path}/messages?limit=100`);
  const port = await bare.ask({ ask: 'listen', pages: [JSON.stringify(newest.body)] });
  const bareCaller = new Headless(`http://127.0.0.1:${port}`, '');
  pages[bareName] = () => '/';
  const times = new Map(Object.keys(pages).map((name) => [name, [] as number[]]));
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const medians: Record<string, number> = {};
    for (const [name, address] of Object.entries(pages)) {
      const ms: number[] = [];
      for (let index = 0; index < perRound; index += 1) {
        const callee = name === bareName ? bareCaller : caller;
        ms.push((await callee.call('GET', address())).ms);
      }
      medians[name] = median(ms);
      // The first round warms the caches.
      if (round > 0) times.get(name)?.push(...ms);
    }
    if (round > 0) ratios.push((medians['oldest page'] ?? 0) / (medians['newest page'] ?? 0));
  }
  printTable(
    ['100 messages each', 'p50 ms', 'p99 ms', 'max ms'],
    [...times].map(([name, ms]) => [name, quantile(ms, 0.5), quantile(ms, 0.99), Math.max(...ms)]),
  );
  printLine(
    `Oldest / newest, medians of ${perRound} alternating requests: median ratio ${median(ratios).toFixed(2)} of ${rounds} rounds.`,
  );
  const sent = await caller.call('POST', '/api/messages', {
    conversationId: id,
    content: 'one more',
    clientMessageId: randomUUID(),
  });
  printLine(`Storing one more message took ${sent.ms.toFixed(1)} ms.`);
  await restore();
  caller.close();
  bareCaller.close();
  bare.stop();
}

await measureOnStack(`History of ${total} messages in one conversation`, measure);
