import { closeCodes } from '@nolo/api';
import { createDb, type Knex } from '@nolo/kit/db';
import { startBalancer, type Balancer } from '../support/stacks/balancer.ts';
import { startSimulatedUsers, type SimulatedUsers } from '../support/clients/simulatedUsers.ts';
import { startTestStack, type TestStack } from '../support/stacks/testStack.ts';

/**
 * Short forms of `npm run chaos -- reconnectStorm` and `-- rollingRestart`, which run a thousand clients with a
 * stopwatch.
 */
const size = 60;
const drops = 2;

let stack: TestStack;
let balancer: Balancer;
let simulatedUsers: SimulatedUsers | undefined;
const databases: Knex[] = [];

beforeAll(async () => {
  stack = await startTestStack({ gateways: 2 });
  balancer = await startBalancer(stack.urls);
});

afterEach(() => simulatedUsers?.stop());

afterAll(async () => {
  await balancer?.stop();
  await Promise.all(databases.map((database) => database.destroy()));
  await stack?.stop();
});

/** Starts clients that are all connected and talking. */
async function startTalkingUsers(address: (index: number) => string): Promise<SimulatedUsers> {
  simulatedUsers = await startSimulatedUsers({
    size,
    address,
    database: (schema) => {
      const database = createDb({ url: stack.stack.databaseUrls[schema]!, schema, poolMax: 2 });
      databases.push(database);
      return database;
    },
    rate: 30,
    seed: 1,
  });
  await simulatedUsers.untilWhole(20_000);
  simulatedUsers.talk();
  return simulatedUsers;
}

async function expectNothingMissed(talking: SimulatedUsers): Promise<void> {
  const { violations, acknowledged, stored, seen } = await talking.compare();
  expect(violations).toEqual([]);
  expect(stored).toBe(acknowledged);
  // Each conversation has two members.
  expect(seen).toBe(2 * stored);
}

it('clients that are all disconnected at once, twice, miss nothing and see nothing twice', async () => {
  const talking = await startTalkingUsers((index) => stack.urls[index % stack.urls.length]!);
  for (let drop = 0; drop < drops; drop += 1) {
    const before = talking.acknowledged;
    for (const client of talking.clients) client.cut();
    await talking.untilAcknowledged(before + 20);
    // The first time, clients reconnect on their own schedule; afterwards all at once, as when a shared network
    // returns.
    for (const client of talking.clients) client.mend();
    if (drop > 0) for (const client of talking.clients) client.retryNow();
    await talking.untilWhole(30_000);
    const returns = talking.takeReturns();
    expect(returns).toHaveLength(size);
    expect(returns.reduce((sum, { missed }) => sum + missed, 0)).toBeGreaterThan(0);
  }
  await expectNothingMissed(talking);
});

it('gateways restarted one after the other send their clients elsewhere, and nothing is lost', async () => {
  const talking = await startTalkingUsers(() => balancer.url);
  for (const name of ['gateway', 'gateway2']) {
    await talking.untilAcknowledged(talking.acknowledged + 20);
    await stack.stack.service(name).restart();
    await talking.untilWhole(30_000);
    const codes = talking.takeReturns().map(({ code }) => code);
    expect(codes.length).toBeGreaterThan(size / 4);
    // The gateway asked its clients to leave and did not cut them off.
    expect(new Set(codes)).toEqual(new Set([closeCodes.draining]));
  }
  await expectNothingMissed(talking);
});
