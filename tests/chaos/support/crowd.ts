import type { Message } from '@nolo/api';
import { eventually, signUpByPhone, type TestUser } from '@nolo/testing';
import { must } from '../../support/authorizationCast.ts';
import type { History } from '../../support/history.ts';
import { Door } from './Door.ts';
import { LightClient, type Traffic } from './LightClient.ts';

interface Options {
  /** The gateways, over the lines that break. */
  urls: readonly string[];
  /** The gateways themselves, for what the checker asks. */
  gateways: readonly string[];
  size: number;
  /** Messages a second that are begun, over all clients, as far as the machine can. */
  rate: number;
  history: History;
  random: () => number;
  signal: AbortSignal;
}

export interface Crowd {
  readonly traffic: Traffic;
  talk(): void;
  /** Nobody begins anything, and what was begun is answered; everybody is connected and complete. */
  fallSilent(): Promise<void>;
  /** Holds what everybody was told, and what the server has, against the history, and forgets what was right. */
  compare(): Promise<void>;
  /** Reads everything once more from the beginning, verified long ago or not. */
  readAgain(): Promise<number>;
  stop(): void;
}

const pageSize = 100;
const turnMs = 20;
const settle = { timeoutMs: 60_000, intervalMs: 50 };

/** So many at a time, in order. */
async function inTurn<T, R>(things: readonly T[], atOnce: number, work: (thing: T, index: number) => Promise<R>) {
  const results: R[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let index = next++; index < things.length; index = next++)
        results[index] = await work(things[index]!, index);
    }),
  );
  return results;
}

/** People in a ring, each in a conversation with the next, on whichever gateway answers. */
export async function gatherLightCrowd(options: Options): Promise<Crowd> {
  const { urls, gateways, size, rate, history, random, signal } = options;
  const users = await inTurn(Array.from({ length: size }), 8, (_, index) =>
    signUpByPhone(gateways[index % gateways.length] ?? ''),
  );
  const conversations = await inTurn(users, 8, async (user, index) => {
    const other = users[(index + 1) % size]!;
    const { body } = must(await user.api.post('/api/conversations', { otherUserId: other.id }), 'A conversation');
    return { id: body.id as string, members: [index, (index + 1) % size] };
  });
  const doors = urls.map((url) => new Door(url));
  const direct = gateways.map((url) => new Door(url));
  const traffic: Traffic = { inFlight: [], mostInFlight: 32, refusals: {}, breaks: 0, catchUps: 0 };
  const clients = users.map(({ api, id: userId }, index) => {
    const common = { doors, history, random, signal, traffic };
    return new LightClient({ ...common, name: `light${index}`, userId, token: api.token ?? '', door: index });
  });
  for (const { id, members } of conversations) for (const member of members) clients[member]?.follow(id);
  for (const client of clients) client.start();

  let turn: NodeJS.Timeout | undefined;
  const talk = () => {
    if (turn || signal.aborted) return;
    let last = performance.now();
    let next = 0;
    turn = setInterval(() => {
      const now = performance.now();
      // What a timer that came late could not begin is not made up for in one go.
      const due = Math.min(rate * 0.1, ((now - last) * rate) / 1000);
      last = now;
      for (let begun = 0; begun < due; begun += 1) clients[next++ % clients.length]?.act();
    }, turnMs);
  };
  const hush = () => {
    clearInterval(turn);
    turn = undefined;
  };
  signal.addEventListener('abort', hush);

  const get = async (user: TestUser, path: string): Promise<unknown> => {
    const { status, body } = await eventually(
      async () => {
        const reply = await direct[0]!.ask(user.api.token ?? '', 'GET', path);
        return reply.status === 200 && reply;
      },
      { timeoutMs: 20_000 },
    );
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
    return body;
  };
  const readPage = async (user: TestUser, id: string, after: number) =>
    (await get(user, `/api/conversations/${id}/messages?after=${after}&limit=${pageSize}`)) as Message[];

  const compareOne = async ({ id, members }: (typeof conversations)[number]) => {
    const [reader, listener] = members.map((member) => users[member]!);
    const row = (await get(reader!, `/api/conversations/${id}`)) as { changeSeq: number };
    const stored: Message[] = [];
    for (let more = true; more;) {
      const page = await readPage(listener!, id, stored.at(-1)?.seq ?? history.verifiedUpTo(id));
      stored.push(...page);
      more = page.length === pageSize;
    }
    history.checkStored(id, stored);
    for (const client of members.map((member) => clients[member]!)) {
      // What does not come in this time is judged as never told.
      await eventually(() => client.completeUpTo(id) >= row.changeSeq, { timeoutMs: 20_000 }).catch(() => undefined);
      history.checkTold(client.name, id, stored);
    }
    history.forget(id, stored);
  };

  return {
    traffic,
    talk,
    async fallSilent() {
      hush();
      await eventually(() => {
        const behind = clients.filter(({ pending, whole }) => pending > 0 || !whole);
        if (behind.length === 0) return true;
        const away = behind.filter(({ whole }) => !whole).length;
        throw new Error(
          `${behind.length} of ${size} light clients are not done, ${away} of them not connected or whole`,
        );
      }, settle);
    },
    async compare() {
      await inTurn(conversations, 4, compareOne);
      for (const client of clients) client.forget();
    },
    async readAgain() {
      let read = 0;
      await inTurn(conversations, 4, async ({ id, members }) => {
        const reader = users[members[0] ?? 0]!;
        const last = history.verifiedUpTo(id);
        for (let after = 0; after < last && !signal.aborted;) {
          const messages = await readPage(reader, id, after);
          history.checkKept(id, after + 1, messages);
          if (messages.length === 0) {
            history.violation(`${id} had ${last} messages, and ends after seq ${after}`, 'lost');
            return;
          }
          read += messages.length;
          after += messages.length;
        }
      });
      return read;
    },
    stop() {
      hush();
      for (const door of [...doors, ...direct]) door.close();
    },
  };
}
