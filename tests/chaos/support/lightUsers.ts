import type { Conversation, Message } from '@nolo/api';
import { limits } from '@nolo/rules';
import { converse, eventually, openToGroups, signUpByPhone, type TestUser } from '@nolo/testing';
import { must } from '../../support/authorization/authorizationCast.ts';
import type { LiveDeliveryChecker } from '../../support/clients/LiveDeliveryChecker.ts';
import type { ChaosHistory } from '../../support/clients/ChaosHistory.ts';
import { ReceiptLedger } from '../../support/clients/ReceiptLedger.ts';
import { LightClient } from './LightClient.ts';
import { openGatewayClient } from './openGatewayClient.ts';
import type { ChaosTraffic } from './traffic.ts';

interface Options {
  /** Gateway addresses behind the connections that break. */
  urls: readonly string[];
  /** Direct gateway addresses, for the checker's requests. */
  gateways: readonly string[];
  size: number;
  /** Members of one additional group, who do nothing else. */
  groupSize: number;
  /** Messages started per second over all clients, as far as the machine can keep up. */
  rate: number;
  history: ChaosHistory;
  watch: LiveDeliveryChecker;
  random: () => number;
  signal: AbortSignal;
}

export interface LightUsers {
  readonly traffic: ChaosTraffic;
  /** Starts the traffic at this share of the rate. */
  talk(share?: number): void;
  /** Resolves when all clients are connected and have caught up with earlier changes. */
  untilSettled(): Promise<void>;
  /** Returns the number of requests for missed changes. */
  catchUps(): number;
  /** Stops new actions and waits until pending ones are answered and all clients are connected and complete. */
  fallSilent(): Promise<void>;
  /**
   * Compares what clients received and what the server stores with the history, forgets what was right, and reopens
   * every client, which loses all of its state.
   */
  compare(): Promise<void>;
  /** Reads everything again from the beginning, even if verified earlier. */
  rereadAll(): Promise<number>;
  stop(): void;
}

const pageSize = 100;
const turnMs = 20;
/** Actions per second in the group; each message is delivered sixty times. */
const groupRate = 4;
const settle = { intervalMs: 50 };

/** Processes the items in order, `atOnce` of them at a time. */
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

/** Creates a group of the last users. Messages from its creation are not part of the history. */
async function gatherLargeGroup(users: readonly TestUser[], from: number, history: ChaosHistory) {
  const [owner, ...others] = users.slice(from) as [TestUser, ...TestUser[]];
  await openToGroups(...others);
  const made = await owner.api.post('/api/groups', { name: 'Many', memberIds: others.map(({ id }) => id) });
  const id = must(made, 'A group').body.id as string;
  const systemMessages = must(await owner.api.get(`/api/conversations/${id}/messages`), 'Its notes').body as Message[];
  const stored = systemMessages.toSorted((one, other) => one.seq - other.seq);
  for (const systemMessage of stored) history.sees('the server', systemMessage);
  history.forget(id, stored);
  return { id, members: users.slice(from).map((_, index) => from + index) };
}

/** Creates users in a ring, each in a conversation with the next, and a group, on any gateway that answers. */
export async function startLightUsers(options: Options): Promise<LightUsers> {
  const { urls, gateways, size, groupSize, rate, history, watch, random, signal } = options;
  const users = await inTurn(Array.from({ length: size + groupSize }), 8, (_, index) =>
    // A slow machine does not accept this many sign-ups at the first attempt.
    eventually(() => signUpByPhone(gateways[index % gateways.length] ?? '')),
  );
  const conversations = await inTurn(users.slice(0, size), 8, async (user, index) => {
    const other = users[(index + 1) % size]!;
    return { id: (await converse(user, other)).id as string, members: [index, (index + 1) % size] };
  });
  conversations.push(await gatherLargeGroup(users, size, history));
  const gatewayClients = urls.map((url) => openGatewayClient(url));
  const direct = gateways.map((url) => openGatewayClient(url));
  const traffic: ChaosTraffic = { inFlight: [], maxInFlight: 32, refusals: {}, breaks: 0 };
  const receipts = new ReceiptLedger(history);
  const clients: LightClient[] = [];
  let catchUps = 0;
  const stop = () => {
    for (const client of clients) {
      client.stop();
      catchUps += client.catchUps;
    }
    clients.length = 0;
  };
  const open = () => {
    stop();
    for (const [index, { api, id: userId }] of users.entries()) {
      const common = { gatewayClients, history, watch, receipts, random, traffic };
      clients.push(
        new LightClient({ ...common, name: `light${index}`, userId, token: api.token ?? '', gatewayIndex: index }),
      );
    }
    for (const { id, members } of conversations) for (const member of members) clients[member]?.follow(id);
    for (const client of clients) client.start();
  };
  open();
  signal.addEventListener('abort', stop);

  let turn: NodeJS.Timeout | undefined;
  let pace = 1;
  const talk = (share = 1) => {
    pace = share;
    if (turn || signal.aborted) return;
    let last = performance.now();
    let [next, owed] = [0, 0];
    let [nextInGroup, owedInGroup] = [0, 0];
    turn = setInterval(() => {
      const now = performance.now();
      // Actions that a late timer could not start are not made up for all at once.
      owed = Math.min(Math.max(1, rate * pace * 0.1), owed + ((now - last) * rate * pace) / 1000);
      owedInGroup = Math.min(1, owedInGroup + ((now - last) * groupRate) / 1000);
      last = now;
      if (owedInGroup >= 1) {
        owedInGroup -= 1;
        clients[size + (nextInGroup++ % groupSize)]?.act();
      }
      for (; owed >= 1; owed -= 1) clients[next++ % size]?.act();
    }, turnMs);
  };
  const hush = () => {
    clearInterval(turn);
    turn = undefined;
  };
  signal.addEventListener('abort', hush);

  const get = async (user: TestUser, path: string): Promise<unknown> => {
    const { status, body } = await eventually(async () => {
      const reply = await direct[0]!.send(user.api.token ?? '', 'GET', path);
      return reply.status === 200 && reply;
    });
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
    return body;
  };
  const readPage = async (user: TestUser, id: string, after: number) =>
    (await get(user, `/api/conversations/${id}/messages?after=${after}&limit=${pageSize}`)) as Message[];

  const compareOne = async ({ id, members }: (typeof conversations)[number]) => {
    const [reader, listener] = members.map((member) => users[member]!);
    const row = (await get(reader!, `/api/conversations/${id}`)) as Conversation;
    // Receipts of a large group are not in its row.
    if (members.length <= limits.receiptsToAllMembers)
      receipts.check(id, [...row.members, { userId: reader!.id, readSeq: row.readSeq }]);
    const stored: Message[] = [];
    for (let more = true; more;) {
      const page = await readPage(listener!, id, stored.at(-1)?.seq ?? history.verifiedUpTo(id));
      stored.push(...page);
      more = page.length === pageSize;
    }
    history.checkStored(id, stored);
    for (const client of members.map((member) => clients[member]!)) {
      // Changes that do not arrive in this time are judged as never delivered.
      await eventually(() => client.completeUpTo(id) >= row.changeSeq).catch(() => undefined);
      await client.loadBackTo(id, history.verifiedUpTo(id) + 1);
      history.checkReceived(client.name, id, stored);
    }
    history.forget(id, stored);
  };

  return {
    traffic,
    talk,
    async untilSettled() {
      // New changes arrive all the time, so that the clients are hardly ever complete all at once.
      let behind: readonly LightClient[] = clients;
      await eventually(() => {
        behind = behind.filter(({ whole }) => !whole);
        if (behind.length === 0) return true;
        throw new Error(`${behind.map(({ name, state }) => `${name} (${state})`).join('; ')} did not catch up`);
      });
    },
    catchUps: () => clients.reduce((sum, client) => sum + client.catchUps, catchUps),
    async fallSilent() {
      hush();
      await eventually(() => {
        const behind = clients.filter(({ pending, whole }) => pending > 0 || !whole);
        if (behind.length === 0) return true;
        const away = behind.filter(({ whole }) => !whole).length;
        throw new Error(
          `${behind.length} of ${clients.length} light clients are not done, ${away} of them not connected or not caught up`,
        );
      }, settle);
    },
    async compare() {
      await inTurn(conversations, 4, compareOne);
      if (!signal.aborted) open();
    },
    async rereadAll() {
      let read = 0;
      await inTurn(conversations, 4, async ({ id, members }) => {
        const reader = users[members[0] ?? 0]!;
        const last = history.verifiedUpTo(id);
        for (let after = 0; after < last && !signal.aborted;) {
          const messages = await readPage(reader, id, after);
          history.checkKept(id, after + 1, messages);
          if (messages.length === 0) {
            history.violation(`${id} had ${last} messages but ends after seq ${after}`, 'lost');
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
      stop();
      for (const gatewayClient of [...gatewayClients, ...direct]) gatewayClient.close();
    },
  };
}
