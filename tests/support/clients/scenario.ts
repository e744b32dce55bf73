import { nextCursorHeader, type Message } from '@nolo/api';
import { converse, eventually, signInByPhone, signUpByPhone, type TestUser } from '@nolo/testing';
import { must } from '../authorization/authorizationCast.ts';
import { LiveDeliveryChecker } from './LiveDeliveryChecker.ts';
import { ChaosHistory } from './ChaosHistory.ts';
import { ResilientClient } from './ResilientClient.ts';

/** Creates a small, well-known random generator (mulberry32): the same seed gives the same run. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface ChaosScenario {
  history: ChaosHistory;
  readonly clients: readonly ResilientClient[];
  conversations: { id: string; members: string[] }[];
  talk(): void;
  /** Stops sending and waits until everything sent is acknowledged. */
  fallSilent(): Promise<void>;
  /** Waits until this many more messages are acknowledged, over all clients. */
  untilAcknowledged(more: number): Promise<void>;
  /** Waits until every client has tried this many more messages, answered or not. */
  untilTried(more: number): Promise<void>;
  /** Compares everyone's screen and the server's messages with the history, and forgets what was right. */
  compare(): Promise<void>;
  /** Closes and reopens every app, which loses all of its state. */
  reopen(): Promise<void>;
  /**
   * Stops sending, waits for recovery, and compares everything. At the end, one more message must arrive live, the only
   * way left when no client queries.
   */
  conclude(): Promise<void>;
  stop(): void;
}

/**
 * Starts three users and four clients on two gateways: Ann with two devices on different gateways, Ben and Cas on one
 * each. Each has a conversation with every other, and all of them talk.
 */
export async function startChaosScenario(
  urls: readonly string[],
  random: () => number,
  history = new ChaosHistory(),
  watch = new LiveDeliveryChecker(history),
): Promise<ChaosScenario> {
  const [first = '', second = first] = urls;
  // The stack may still be busy with its start, and then answers that it has no time.
  const people = await Promise.all([first, second, first].map((url) => eventually(() => signUpByPhone(url))));
  const [ann, ben, cas] = people as [TestUser, TestUser, TestUser];
  const annElsewhere = await eventually(() => signInByPhone(second, ann.phone));
  const pairs = await Promise.all(
    (
      [
        [ann, ben],
        [ann, cas],
        [ben, cas],
      ] as const
    ).map(async ([one, other]) => {
      return { id: (await eventually(() => converse(one, other))).id as string, members: [one.id, other.id] };
    }),
  );
  const devices = [
    { name: 'ann1', user: ann },
    { name: 'ann2', user: annElsewhere },
    { name: 'ben1', user: ben },
    { name: 'cas1', user: cas },
  ];
  const clients: ResilientClient[] = [];
  const conversationsOf = (client: ResilientClient) =>
    pairs.filter(({ members }) => members.includes(client.user.id)).map(({ id }) => id);
  const stop = () => {
    for (const client of clients) client.stop();
  };
  const open = async () => {
    clients.splice(0, clients.length, ...devices.map((one) => new ResilientClient({ ...one, history, watch, random })));
    await Promise.all(clients.map((client) => client.open(conversationsOf(client))));
  };
  const talk = () => {
    for (const client of clients) client.talk();
  };

  try {
    await open();
  } catch (error) {
    stop();
    throw error;
  }
  talk();

  const stored = async (conversationId: string, reader: TestUser): Promise<Message[]> => {
    const messages: Message[] = [];
    for (;;) {
      const after = messages.at(-1)?.seq ?? history.verifiedUpTo(conversationId);
      const { body, headers } = must(
        await reader.api.get(`/api/conversations/${conversationId}/messages?after=${after}&limit=100`),
        'The history',
      );
      messages.push(...(body as Message[]));
      if (!headers.has(nextCursorHeader)) return messages;
    }
  };

  const settle = { intervalMs: 50 };
  const readersOf = ({ members }: { members: string[] }) => clients.filter(({ user }) => members.includes(user.id));

  /** Waits until everything sent is acknowledged, and everyone is connected again without help. */
  const fallSilent = async () => {
    for (const client of clients) client.fallSilent();
    await eventually(() => {
      const behind = clients.filter(({ pending, connection }) => pending > 0 || connection !== 'open');
      if (behind.length === 0) return true;
      throw new Error(behind.map((one) => `${one.name} is ${one.connection} with ${one.pending} pending`).join('; '));
    }, settle);
  };

  const isUpToDate = (client: ResilientClient, id: string, truth: readonly Message[]) => {
    const shown = new Map(client.shown(id).map((message) => [message.seq, message]));
    return truth.every(({ seq, changeSeq }) => (shown.get(seq)?.changeSeq ?? 0) >= changeSeq);
  };

  const comparePair = async (pair: { id: string; members: string[] }) => {
    const readers = readersOf(pair);
    const truth = await stored(pair.id, readers[0]!.user);
    history.checkStored(pair.id, truth);
    for (const client of readers) {
      const began = history.verifiedUpTo(pair.id) + 1;
      await eventually(() => (client.shown(pair.id).at(-1)?.seq ?? 0) >= (truth.at(-1)?.seq ?? 0), settle).catch(
        () => {},
      );
      await client.loadBackTo(pair.id, began);
      // The screen is judged as it is after this time.
      await eventually(() => isUpToDate(client, pair.id, truth), { ...settle, timeoutMs: 15_000 }).catch(() => {});
      history.checkShown(client.name, pair.id, client.shown(pair.id), truth);
    }
    history.forget(pair.id, truth);
    return truth.at(-1)?.seq ?? history.verifiedUpTo(pair.id);
  };

  const compare = async () => {
    for (const pair of pairs) {
      const last = await comparePair(pair);
      const [speaker, ...listeners] = readersOf(pair);
      speaker!.sendMessage(pair.id);
      for (const client of listeners) {
        await eventually(() => client.shown(pair.id).at(-1)?.seq === last + 1, { timeoutMs: 5_000 }).catch(() =>
          history.violation(`${client.name} receives nothing live in ${pair.id} after the outage`),
        );
      }
    }
  };

  const conclude = async () => {
    await fallSilent();
    await compare();
    for (const { name, user } of clients) {
      const { status } = await user.api.get('/api/auth/user');
      if (status !== 200) history.violation(`${name}'s session is answered with ${status}`);
    }
    await fallSilent();
    stop();
  };

  return {
    history,
    clients,
    conversations: pairs,
    talk,
    fallSilent,
    compare,
    stop,
    async reopen() {
      stop();
      await open();
    },
    conclude,
    async untilAcknowledged(more) {
      const wanted = history.acknowledged + more;
      await eventually(() => history.acknowledged >= wanted);
    },
    async untilTried(more) {
      const wanted = history.tried + more * clients.length;
      await eventually(() => history.tried >= wanted);
    },
  };
}
