import { closeCodes } from '@nolo/api';
import { createDb, type Knex } from '@nolo/kit/db';
import { startBalancer, type Balancer } from '../support/balancer.ts';
import { gatherCrowd, type Crowd } from '../support/crowd.ts';
import { startTestStack, type TestStack } from '../support/testStack.ts';

/** `npm run chaos -- rollingRestart` is the long form, with a thousand clients and a stopwatch. */
const size = 120;

let stack: TestStack;
let balancer: Balancer;
let crowd: Crowd | undefined;
const databases: Knex[] = [];

beforeAll(async () => {
  stack = await startTestStack({ gateways: 2 });
  balancer = await startBalancer(stack.urls);
}, 120_000);

afterAll(async () => {
  crowd?.stop();
  await balancer?.stop();
  await Promise.all(databases.map((database) => database.destroy()));
  await stack?.stop();
});

it('gateways that are restarted one after the other send everybody on, and nothing is lost', async () => {
  crowd = await gatherCrowd({
    size,
    address: () => balancer.url,
    database: (schema) => {
      const database = createDb({ url: stack.stack.databaseUrls[schema]!, schema, poolMax: 2 });
      databases.push(database);
      return database;
    },
    rate: 30,
    seed: 1,
  });
  await crowd.untilWhole(20_000);
  crowd.talk();
  for (const name of ['gateway', 'gateway2']) {
    await crowd.untilAcknowledged(crowd.acknowledged + 20);
    await stack.stack.service(name).restart();
    await crowd.untilWhole(30_000);
    const codes = crowd.takeReturns().map(({ code }) => code);
    expect(codes.length).toBeGreaterThan(size / 4);
    // Told to go, not cut off.
    expect(new Set(codes)).toEqual(new Set([closeCodes.draining]));
  }
  const { violations, acknowledged, stored, seen } = await crowd.compare();
  expect(violations).toEqual([]);
  expect(stored).toBe(acknowledged);
  expect(seen).toBe(2 * stored);
}, 100_000);
