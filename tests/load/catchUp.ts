/** Measures how a device that missed 10,000 changes in 20 conversations catches up, against a bare server. */
import { randomUUID } from 'node:crypto';
import type { Conversation, Message } from '@nolo/api';
import { Headless, converse, type Answer } from '@nolo/testing';
import { forkBareHttp, forkBareServer } from './support/forks.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { median, printTable, quantile, printLine } from './support/measure.ts';
import { openSockets } from './support/openSockets.ts';
import { createLoadPeople, type LoadPerson } from './support/people.ts';

const conversations = 20;
/** Size of the groups, which are every second conversation. */
const groupSize = 10;
/** Messages that the device has in each conversation, a third of them its own. */
const known = 180;
/** Changes that it misses in each: new messages, and changes to those that it has. Each is a separate change. */
const missed = { sent: 360, edited: 60, reacted: 50, erased: 30 };
const missedOfEach = Object.values(missed).reduce((sum, count) => sum + count, 0);
const rounds = 7;
/** Concurrent requests of a browser over HTTP/1.1. */
const browserConnections = 6;

type Person = LoadPerson & { device: Headless };

const contentOf = (index: number) => 'x'.repeat(20 + (index % 200));

/** Fills one conversation. Returns a function that makes the changes once the device is away. */
async function talk(self: Person, others: readonly Person[], conversationId: string): Promise<() => Promise<void>> {
  const sendMessage = async ({ device }: Person, index: number) => {
    const message = { conversationId, content: contentOf(index), clientMessageId: randomUUID() };
    return (await device.call('POST', '/api/messages', message)).body as Message;
  };
  const other = (index: number) => others[index % others.length] as Person;
  const own: Message[] = [];
  const theirs: { message: Message; author: Person }[] = [];
  for (let index = 0; index < known; index += 1) {
    if (index % 3 === 0) own.push(await sendMessage(self, index));
    else theirs.push({ message: await sendMessage(other(index), index), author: other(index) });
  }
  return async () => {
    for (let index = 0; index < missed.sent; index += 1) {
      await sendMessage(other(index), index);
      if (index < missed.edited) {
        const { message, author } = theirs[index] as (typeof theirs)[number];
        await author.device.call('PATCH', `/api/messages/${message.id}`, { content: contentOf(index + 7) });
      }
      if (index < missed.erased) {
        const { message, author } = theirs[missed.edited + index] as (typeof theirs)[number];
        await author.device.call('DELETE', `/api/messages/${message.id}`);
      }
      if (index < missed.reacted) {
        await other(index).device.call('PUT', `/api/messages/${own[index]?.id ?? ''}/reaction`, { emoji: '👍' });
      }
    }
  };
}

interface CatchUp {
  ms: number;
  bytes: number;
  changes: number;
  pages: number[];
}

interface Page {
  changes: unknown[];
  changeSeq: number;
  hasMore: boolean;
}

/**
 * Catches up as docs/realtime.md says: the hello frame, the list, and the changes of each conversation that has any.
 */
async function catchUp(
  socketUrl: string,
  token: string,
  since: ReadonlyMap<string, number>,
  callers: readonly Headless[],
  get: (caller: Headless, path: string) => Promise<Answer> = (caller, path) => caller.call('GET', path),
): Promise<CatchUp> {
  const result: CatchUp = { ms: 0, bytes: 0, changes: 0, pages: [] };
  const began = performance.now();
  await openSockets(socketUrl, [{ token, localAddress: '127.0.0.1' }], 1, (socket) => socket.terminate());
  const list = await get(callers[0] as Headless, '/api/conversations');
  result.bytes += list.bytes;
  const waiting = (list.body as Conversation[]).filter(({ id, changeSeq }) => changeSeq > (since.get(id) ?? 0));
  const work = async (caller: Headless) => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      let from = since.get(row.id) ?? 0;
      for (let more = true; more;) {
        const answer = await get(caller, `/api/conversations/${row.id}/changes?since=${from}`);
        const page = answer.body as Page;
        result.pages.push(answer.ms);
        result.bytes += answer.bytes;
        result.changes += page.changes.length;
        from = page.changeSeq;
        more = page.hasMore;
      }
    }
  };
  await Promise.all(callers.map(work));
  result.ms = performance.now() - began;
  if (result.changes !== conversations * missedOfEach) throw new Error(`${result.changes} changes were delivered.`);
  return result;
}

async function measure(stack: LoadStack): Promise<void> {
  const people = (await createLoadPeople(stack, conversations)).map((person): Person => {
    return { ...person, device: new Headless(stack.url, person.tokens[0] ?? '') };
  });
  const [self, ...others] = people as [Person, ...Person[]];
  const token = self.tokens[0] ?? '';
  const restore = await stack.liftLimits(people.map(({ id }) => id));

  const began = performance.now();
  const meanwhile = await Promise.all(
    Array.from({ length: conversations }, async (_, index) => {
      const partners =
        index % 2 === 0
          ? [others[index % others.length] as Person]
          : Array.from({ length: groupSize - 1 }, (__, place) => others[(index + place) % others.length] as Person);
      const [first] = partners as [Person];
      if (partners.length === 1) {
        const { id } = await converse({ id: self.id, api: self.device }, { id: first.id, api: first.device });
        return await talk(self, partners, id as string);
      }
      const memberIds = partners.map(({ id }) => id);
      const { body } = await self.device.call('POST', '/api/groups', { name: `${index}`, memberIds });
      return await talk(self, partners, (body as { id: string }).id);
    }),
  );
  const listed = (await self.device.call('GET', '/api/conversations')).body as Conversation[];
  const since = new Map(listed.map(({ id, changeSeq }) => [id, changeSeq]));
  await Promise.all(meanwhile.map((work) => work()));
  await stack.database('chat').raw('analyze messages');
  printLine(
    `${conversations * (known + missedOfEach)} messages and changes written in ${((performance.now() - began) / 1000).toFixed(0)} s.`,
  );

  const callers = Array.from({ length: browserConnections }, () => new Headless(stack.url, token));
  const socketUrl = `${stack.url.replace('http', 'ws')}/ws`;
  // Records the answers, which the bare server then repeats.
  const addresses = new Map<string, string>();
  const pages: string[] = [];
  await catchUp(socketUrl, token, since, callers, async (caller, path) => {
    const answer = await caller.call('GET', path);
    addresses.set(path, `/${pages.length}`);
    pages.push(JSON.stringify(answer.body));
    return answer;
  });
  const bare = { http: forkBareHttp(), socket: forkBareServer() };
  const port = await bare.http.ask({ ask: 'listen', pages });
  const bareSocketUrl = `ws://127.0.0.1:${await bare.socket.ask({ ask: 'port' })}`;
  const bareCallers = callers.map(() => new Headless(`http://127.0.0.1:${port}`, ''));
  const bareGet = (caller: Headless, path: string) => caller.call('GET', addresses.get(path) ?? '');

  const ways = { 'one request after another': 1, 'six at a time, as in a browser': browserConnections };
  const rows: (string | number)[][] = [];
  for (const [name, atOnce] of Object.entries(ways)) {
    const ours: CatchUp[] = [];
    const limits: CatchUp[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const limit = await catchUp(bareSocketUrl, '', since, bareCallers.slice(0, atOnce), bareGet);
      const one = await catchUp(socketUrl, token, since, callers.slice(0, atOnce));
      // The first round warms the caches.
      if (round === 0) continue;
      limits.push(limit);
      ours.push(one);
    }
    const pagesOf = (some: readonly CatchUp[]) => some.flatMap((one) => one.pages);
    for (const [who, some] of [
      ['gateway', ours],
      ['bare server', limits],
    ] as const) {
      rows.push([
        `${who}, ${name}`,
        median(some.map(({ ms }) => ms)),
        Math.max(...some.map(({ ms }) => ms)),
        // Includes the list.
        `${(some[0]?.pages.length ?? 0) + 1}`,
        (some[0]?.bytes ?? 0) / 1e6,
        quantile(pagesOf(some), 0.5),
        quantile(pagesOf(some), 0.99),
      ]);
    }
    const ratio = median(ours.map(({ ms }, round) => ms / (limits[round]?.ms ?? Number.NaN)));
    printLine(`${name}: ${ratio.toFixed(1)} times the bare server's, median of ${rounds} rounds.`);
  }
  printTable(
    [
      `${conversations * missedOfEach} changes in ${conversations} conversations`,
      'until complete, median ms',
      'max',
      'requests',
      'MB',
      'page p50 ms',
      'p99',
    ],
    rows,
  );
  await restore();
  bare.http.stop();
  bare.socket.stop();
  for (const caller of [...callers, ...bareCallers, ...people.map(({ device }) => device)]) caller.close();
}

await measureOnStack(`Catching up after ${conversations * missedOfEach} changes`, measure);
