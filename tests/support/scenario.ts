import type { Message } from '@nolo/api';
import { eventually, signInByPhone, signUpByPhone, type TestUser } from '@nolo/testing';
import { must } from './authorizationCast.ts';
import { History } from './history.ts';
import { ResilientClient } from './ResilientClient.ts';

/** A small, well known generator (mulberry32): the same seed gives the same run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Scenario {
  history: History;
  clients: ResilientClient[];
  conversations: { id: string; members: string[] }[];
  /** Nobody says anything more, and everything that was said is acknowledged. */
  fallSilent(): Promise<void>;
  /** Waits until so many messages more were acknowledged, over all clients. */
  untilAcknowledged(more: number): Promise<void>;
  /** Waits until every client tried so many messages more, whether or not anyone answered. */
  untilTried(more: number): Promise<void>;
  /**
   * Everybody falls silent and recovers; then everything is compared with everything. At the end one message more has to
   * come by the live way, which is the only one left when nobody asks for anything.
   */
  conclude(): Promise<void>;
  stop(): void;
}

/**
 * Three people and four clients on two gateways: Ann with two devices on different gateways, Ben and Cas on one each.
 * Everybody is in a conversation with everybody, and all of them talk.
 */
export async function startScenario(urls: readonly string[], random: () => number): Promise<Scenario> {
  const [first = '', second = first] = urls;
  const history = new History();
  const people = await Promise.all([signUpByPhone(first), signUpByPhone(second), signUpByPhone(first)]);
  const [ann, ben, cas] = people as [TestUser, TestUser, TestUser];
  const annElsewhere = await signInByPhone(second, ann.phone);
  const pairs = await Promise.all(
    (
      [
        [ann, ben],
        [ann, cas],
        [ben, cas],
      ] as const
    ).map(async ([one, other]) => {
      const { body } = must(await one.api.post('/api/conversations', { otherUserId: other.id }), 'A conversation');
      return { id: body.id as string, members: [one.id, other.id] };
    }),
  );
  const clients = [
    { name: 'ann1', user: ann },
    { name: 'ann2', user: annElsewhere },
    { name: 'ben1', user: ben },
    { name: 'cas1', user: cas },
  ].map((one) => new ResilientClient({ ...one, history, random }));
  const conversationsOf = (client: ResilientClient) =>
    pairs.filter(({ members }) => members.includes(client.user.id)).map(({ id }) => id);
  const stop = () => {
    for (const client of clients) client.stop();
  };

  try {
    await Promise.all(clients.map((client) => client.open(conversationsOf(client))));
  } catch (error) {
    stop();
    throw error;
  }
  for (const client of clients) client.talk();

  const stored = async (conversationId: string, reader: TestUser): Promise<Message[]> => {
    const messages: Message[] = [];
    for (;;) {
      const after = messages.at(-1)?.seq ?? 0;
      const { body } = must(
        await reader.api.get(`/api/conversations/${conversationId}/messages?after=${after}&limit=100`),
        'The history',
      );
      messages.push(...(body.messages as Message[]));
      if (!body.hasMore) return messages;
    }
  };

  const settle = { timeoutMs: 40_000, intervalMs: 50 };
  const readersOf = ({ members }: { members: string[] }) => clients.filter(({ user }) => members.includes(user.id));

  /** Everything that was said is acknowledged in the end, and everybody is connected again without any help. */
  const fallSilent = async () => {
    for (const client of clients) client.fallSilent();
    await eventually(() => {
      const behind = clients.filter(({ pending, connection }) => pending > 0 || connection !== 'open');
      if (behind.length === 0) return true;
      throw new Error(behind.map((one) => `${one.name} is ${one.connection} with ${one.pending} pending`).join('; '));
    }, settle);
  };

  const compare = async (pair: { id: string; members: string[] }) => {
    const readers = readersOf(pair);
    const truth = await stored(pair.id, readers[0]!.user);
    history.checkStored(pair.id, truth);
    const last = truth.at(-1)?.seq ?? 0;
    for (const client of readers) {
      await eventually(() => (client.shown(pair.id).at(-1)?.seq ?? 0) >= last, { ...settle, timeoutMs: 15_000 }).catch(
        () => history.violation(`${client.name} never came to seq ${last} of ${pair.id}`),
      );
      await client.loadAll(pair.id);
      history.checkShown(client.name, pair.id, client.shown(pair.id), truth);
    }
    return last;
  };

  const conclude = async () => {
    await fallSilent();
    for (const pair of pairs) {
      const last = await compare(pair);
      const [speaker, ...listeners] = readersOf(pair);
      speaker!.say(pair.id);
      for (const client of listeners) {
        await eventually(() => client.shown(pair.id).at(-1)?.seq === last + 1, { timeoutMs: 5_000 }).catch(() =>
          history.violation(`${client.name} gets nothing live in ${pair.id} after the outage`),
        );
      }
    }
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
    fallSilent,
    stop,
    conclude,
    async untilAcknowledged(more) {
      const wanted = history.acknowledged.size + more;
      await eventually(() => history.acknowledged.size >= wanted, { timeoutMs: 40_000 });
    },
    async untilTried(more) {
      const tried = () => [...history.attempts.values()].reduce((sum, { tries }) => sum + tries, 0);
      const wanted = tried() + more * clients.length;
      await eventually(() => tried() >= wanted, { timeoutMs: 40_000 });
    },
  };
}
