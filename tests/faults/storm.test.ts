import { createDb, type Knex } from '@nolo/kit/db';
import { gatherCrowd, type Crowd } from '../support/crowd.ts';
import { startTestStack, type TestStack } from '../support/testStack.ts';

/** `npm run chaos -- reconnectStorm` is the long form, with a thousand clients and a stopwatch. */
const size = 150;
const drops = 2;

let stack: TestStack;
let crowd: Crowd | undefined;
const databases: Knex[] = [];

beforeAll(async () => {
  stack = await startTestStack({ gateways: 2 });
}, 120_000);

afterAll(async () => {
  crowd?.stop();
  await Promise.all(databases.map((database) => database.destroy()));
  await stack?.stop();
});

it('a hundred and fifty clients that are thrown off at once, twice, miss nothing and see nothing twice', async () => {
  crowd = await gatherCrowd({
    size,
    address: (index) => stack.urls[index % stack.urls.length]!,
    database: (schema) => {
      const database = createDb({ url: stack.stack.databaseUrls[schema]!, schema, poolMax: 2 });
      databases.push(database);
      return database;
    },
    rate: 40,
    seed: 1,
  });
  await crowd.untilWhole(20_000);
  crowd.talk();
  for (let drop = 0; drop < drops; drop += 1) {
    const before = crowd.acknowledged;
    for (const client of crowd.clients) client.cut();
    await crowd.untilAcknowledged(before + 20);
    // The first time by themselves, then as when the network of all of them comes back in the same moment.
    for (const client of crowd.clients) client.mend();
    if (drop > 0) for (const client of crowd.clients) client.realtime.retryNow();
    await crowd.untilWhole(30_000);
    const returns = crowd.takeReturns();
    expect(returns).toHaveLength(size);
    expect(returns.reduce((sum, { missed }) => sum + missed, 0)).toBeGreaterThan(0);
  }
  const { violations, acknowledged, stored, seen } = await crowd.compare();
  expect(violations).toEqual([]);
  expect(stored).toBe(acknowledged);
  // Each conversation is that of two.
  expect(seen).toBe(2 * stored);
}, 100_000);
