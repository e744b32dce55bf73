import { randomUUID } from 'node:crypto';
import type { Message } from '@nolo/api';
import type { Knex } from '@nolo/kit/db';
import { eventually, Headless } from '@nolo/testing';
import { createLoadPeople } from '../../load/support/people.ts';
import { SimulatedUserClient, type RecoveryTimes } from './SimulatedUserClient.ts';
import { createSeededRandom } from './scenario.ts';

interface Options {
  size: number;
  /** Returns the address for the client with this number. */
  address: (index: number) => string;
  /** Returns a connection with the role of a service. */
  database: (service: string) => Knex;
  /** Messages per second, over all conversations. */
  rate: number;
  seed: number;
}

interface DeliveryComparison {
  acknowledged: number;
  stored: number;
  seen: number;
  redelivered: number;
  /** Failed attempts that were repeated. */
  refusals: number;
  violations: string[];
}

/** Many users in a ring, each in a conversation with the next, while messages are sent all the time. */
export interface SimulatedUsers {
  readonly clients: readonly SimulatedUserClient[];
  readonly acknowledged: number;
  /** Starts sending, and continues whatever happens. */
  talk(): void;
  /** Resolves when all are connected with no known message missing. */
  untilWhole(timeoutMs: number): Promise<void>;
  untilAcknowledged(count: number): Promise<void>;
  /** Returns the recovery times since the last call. */
  takeReturns(): RecoveryTimes[];
  /** Stops sending, waits until all is acknowledged and seen, and compares what clients saw with what is stored. */
  compare(): Promise<DeliveryComparison>;
  stop(): void;
}

async function converse(chat: Knex, ids: readonly string[]): Promise<string[]> {
  const pairs = ids.map((one, index) => ({ id: randomUUID(), one, other: ids[(index + 1) % ids.length] }));
  await chat.raw(
    `with pair as materialized (
       select * from json_to_recordset(?::json) as t(id uuid, one uuid, other uuid)
     ), made as (
       insert into conversations (id, type, direct_key, last_change_seq, created_at, updated_at)
       select id, 'direct', 'crowd ' || id, 2, now(), now() from pair returning id
     )
     insert into members (conversation_id, user_id, joined_at, change_seq)
     select p.id, m.user_id, now(), m.change_seq from made join pair p using (id)
     cross join lateral (values (p.one, 1), (p.other, 2)) as m(user_id, change_seq)`,
    [JSON.stringify(pairs)],
  );
  return pairs.map(({ id }) => id);
}

/** Creates a device that only sends, and repeats each message until it is acknowledged. */
function createTalker(address: () => string, token: string, onRefused: () => void) {
  let caller: Headless | undefined;
  return {
    async sendMessage(
      conversationId: string,
      clientMessageId: string,
      wanted: () => boolean,
    ): Promise<Message | undefined> {
      while (wanted()) {
        const used = (caller ??= new Headless(address(), token));
        try {
          const body = { conversationId, clientMessageId, content: `crowd ${clientMessageId}` };
          return (await used.call('POST', '/api/messages', body)).body as Message;
        } catch {
          onRefused();
          used.close();
          if (caller === used) caller = undefined;
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
      }
      return undefined;
    },
    close: () => caller?.close(),
  };
}

export async function startSimulatedUsers({ size, address, database, rate, seed }: Options): Promise<SimulatedUsers> {
  const random = createSeededRandom(seed);
  const violations: string[] = [];
  // A broken rule shows in every later observation; the first ones are enough.
  const violation = (what: string) => void (violations.length < 50 && violations.push(what));
  const people = await createLoadPeople({ database }, size);
  const conversations = await converse(
    database('chat'),
    people.map(({ id }) => id),
  );
  const clients = people.map(
    (person, index) => new SimulatedUserClient({ person, origin: address(index), random, violation }),
  );
  const acknowledged = new Map<string, Message>();
  const pending = new Set<Promise<void>>();
  let refusals = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const talkers = people.map(({ tokens }, index) =>
    createTalker(
      () => address(index),
      tokens[0] ?? '',
      () => (refusals += 1),
    ),
  );

  const sendOne = async () => {
    const index = Math.floor(random() * size);
    const place = random() < 0.5 ? index : (index + size - 1) % size;
    const clientMessageId = randomUUID();
    const message = await talkers[index]?.sendMessage(conversations[place] ?? '', clientMessageId, () => !stopped);
    if (message) acknowledged.set(clientMessageId, message);
  };
  const talk = () => {
    const began = performance.now();
    let sentCount = 0;
    timer ??= setInterval(() => {
      // Sends as many as are due by now, however late the timer fires.
      for (const due = ((performance.now() - began) / 1000) * rate; sentCount < due; sentCount += 1) {
        const sending: Promise<void> = sendOne().finally(() => pending.delete(sending));
        pending.add(sending);
      }
    }, 50);
  };

  const untilWhole = async (timeoutMs: number) => {
    await eventually(
      () => {
        const behind = clients.filter(({ whole }) => !whole);
        if (behind.length === 0) return true;
        const away = behind.filter(({ connected }) => !connected).length;
        throw new Error(`${behind.length} of ${size} have not caught up, ${away} of them without a connection`);
      },
      { timeoutMs, intervalMs: 50 },
    );
  };

  const stop = () => {
    stopped = true;
    clearInterval(timer);
    for (const client of clients) client.stop();
    for (const talker of talkers) talker.close();
  };

  const compare = async (): Promise<DeliveryComparison> => {
    clearInterval(timer);
    await Promise.all(pending);
    const stored = (
      (await database('chat').raw(
        `select id, conversation_id as "conversationId", seq, client_message_id as "clientMessageId"
         from messages where conversation_id in (select json_array_elements_text(?::json)::uuid) order by seq`,
        [JSON.stringify(conversations)],
      )) as { rows: Pick<Message, 'id' | 'conversationId' | 'seq' | 'clientMessageId'>[] }
    ).rows;
    const byClientId = new Map<string | null, string>();
    const idAt = new Map<string, string>();
    for (const { id, conversationId, seq, clientMessageId } of stored) {
      if (byClientId.has(clientMessageId)) violation(`${clientMessageId} is stored twice`);
      byClientId.set(clientMessageId, id);
      idAt.set(`${conversationId} ${seq}`, id);
    }
    for (const [clientMessageId, { id }] of acknowledged) {
      if (byClientId.get(clientMessageId) !== id) violation(`${clientMessageId} was acknowledged and is lost`);
    }
    let seen = 0;
    const lacking = (index: number, client: SimulatedUserClient) => {
      const own = new Set([conversations[index], conversations[(index + size - 1) % size]]);
      return stored.filter(({ conversationId, seq, id }) => {
        return own.has(conversationId) && client.seen.get(conversationId)?.get(seq) !== id;
      });
    };
    for (const [index, client] of clients.entries()) {
      // The last frames may still be in transit.
      await eventually(() => lacking(index, client).length === 0, { timeoutMs: 10_000 }).catch(() =>
        violation(`${client.person.id} is missing ${lacking(index, client).length} messages`),
      );
      for (const [conversationId, places] of client.seen) {
        seen += places.size;
        for (const [seq, id] of places) {
          if (idAt.get(`${conversationId} ${seq}`) !== id)
            violation(`${client.person.id} saw ${id}, which is not stored`);
        }
      }
    }
    const redelivered = clients.reduce((sum, client) => sum + client.redelivered, 0);
    return { acknowledged: acknowledged.size, stored: stored.length, seen, redelivered, refusals, violations };
  };

  for (const client of clients) client.start();
  return {
    clients,
    get acknowledged() {
      return acknowledged.size;
    },
    talk,
    untilWhole,
    untilAcknowledged: async (count) => void (await eventually(() => acknowledged.size >= count, { intervalMs: 50 })),
    takeReturns: () => clients.flatMap(({ returns }) => returns.splice(0)),
    compare,
    stop,
  };
}
