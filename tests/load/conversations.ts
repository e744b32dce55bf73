/** Measures the conversation list of a user with 2,000 conversations, next to that of one with 100. */
import { nextCursorHeader } from '@nolo/api';
import { Headless } from '@nolo/testing';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { median, printTable, quantile, printLine } from './support/measure.ts';
import { createLoadPeople } from './support/people.ts';

const many = Number(process.argv[2] ?? 2_000);
const few = 100;
const rounds = 7;
const perRound = 30;

/** Creates direct conversations with everyone, three messages in each. */
async function converse(stack: LoadStack, userId: string, others: readonly string[]): Promise<void> {
  await stack.database('chat').raw(
    `with other as materialized (
       select t.id as user_id, gen_random_uuid() as id, t.n from json_to_recordset(?::json) as t(id uuid, n int)
     ), made as (
       insert into conversations (id, type, direct_key, last_seq, last_change_seq, last_message_at, created_at, updated_at)
       select id, 'direct', 'load ' || id, 3, 5, now() - n * interval '1 minute', now(), now() - n * interval '1 minute'
       from other returning id
     ), joined as (
       insert into members (conversation_id, user_id, joined_at, change_seq)
       select o.id, m.user_id, now(), m.change_seq from made join other o using (id)
       cross join lateral (values (?::uuid, 1), (o.user_id, 2)) as m(user_id, change_seq)
       returning 1
     )
     insert into messages (conversation_id, seq, id, sender_id, client_message_id, change_seq, content, encryption,
       message_type, created_at)
     select o.id, s, gen_random_uuid(), o.user_id, gen_random_uuid(), s + 2, 'What was said last', 'none', 'text',
       now() - o.n * interval '1 minute'
     from made join other o using (id) cross join generate_series(1, 3) s`,
    [JSON.stringify(others.map((id, n) => ({ id, n }))), userId],
  );
}

async function measure(stack: LoadStack): Promise<void> {
  const [busy, quiet, ...others] = await createLoadPeople(stack, many + 2);
  if (!busy || !quiet) throw new Error('No users are available.');
  const ids = others.map(({ id }) => id);
  await converse(stack, busy.id, ids);
  await converse(stack, quiet.id, ids.slice(0, few));
  await stack.database('chat').raw('analyze conversations, members, messages');
  const restore = await stack.liftLimits([busy.id, quiet.id]);
  const callers = {
    busy: new Headless(stack.url, busy.tokens[0] ?? ''),
    quiet: new Headless(stack.url, quiet.tokens[0] ?? ''),
  };

  const firstOf = async (caller: Headless) => (await caller.call('GET', '/api/conversations?limit=100')).ms;
  const walk = async () => {
    let pages = 0;
    let cursor = '';
    let found = 0;
    const began = performance.now();
    do {
      const answer = await callers.busy.call('GET', `/api/conversations?limit=100${cursor && `&cursor=${cursor}`}`);
      cursor = encodeURIComponent(String(answer.headers[nextCursorHeader.toLowerCase()] ?? ''));
      found += (answer.body as unknown[]).length;
      pages += 1;
    } while (cursor !== '');
    if (found !== many) throw new Error(`${found} conversations were listed instead of ${many}.`);
    return { ms: performance.now() - began, pages };
  };

  const times = { busy: [] as number[], quiet: [] as number[], walk: [] as number[] };
  const ratios: number[] = [];
  let pages = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const now = { busy: [] as number[], quiet: [] as number[] };
    for (let index = 0; index < perRound; index += 1) {
      now.quiet.push(await firstOf(callers.quiet));
      now.busy.push(await firstOf(callers.busy));
    }
    const whole = await walk();
    pages = whole.pages;
    // The first round warms the caches.
    if (round === 0) continue;
    times.busy.push(...now.busy);
    times.quiet.push(...now.quiet);
    times.walk.push(whole.ms);
    ratios.push(median(now.busy) / median(now.quiet));
  }
  printTable(
    ['', 'p50 ms', 'p99 ms'],
    [
      [`first 100 of ${few}`, quantile(times.quiet, 0.5), quantile(times.quiet, 0.99)],
      [`first 100 of ${many}`, quantile(times.busy, 0.5), quantile(times.busy, 0.99)],
      [`all ${many} in ${pages} pages`, quantile(times.walk, 0.5), quantile(times.walk, 0.99)],
    ],
  );
  printLine(
    `First page of ${many} / first page of ${few}: median ratio ${median(ratios).toFixed(2)} of ${rounds} rounds.`,
  );
  await restore();
  for (const caller of Object.values(callers)) caller.close();
}

await measureOnStack(`Conversation list of a user with ${many} conversations`, measure);
