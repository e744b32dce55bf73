import { runPaymentChaos } from '../chaos/support/paymentChaos.ts';
import { startBillingTestbed, type BillingTestbed } from '../support/stacks/billingTestbed.ts';
import { getTestEnv } from '../support/stacks/testStack.ts';

/** Short form of `npm run chaos -- payments`, which kills 500 times. */
const kills = 12;
const seed = Number(process.env['NOLO_FAULT_SEED'] ?? Date.now() % 1_000_000_000);

let testbed: BillingTestbed;

beforeAll(async () => {
  testbed = await startBillingTestbed(getTestEnv());
});

afterAll(async () => {
  await testbed?.stop();
  process.stderr.write(`payments with NOLO_FAULT_SEED=${seed}\n`);
});

it('billing and Redis fail at random: everyone who paid has their plan once, and usage is counted once', async () => {
  const report = await runPaymentChaos(testbed, { kills, seed, printLine: () => undefined });
  expect(report.violations).toEqual([]);
  expect(report.kills).toBeGreaterThanOrEqual(kills);
  // The kills hit what this tests.
  expect(report.midway).toBeGreaterThan(0);
  expect(report.repeated).toBeGreaterThan(0);
  expect(report.emptied).toBeGreaterThan(0);
  expect(report.uses).toBeGreaterThan(32);
  // Slowness of a busy machine is not a fault of the code under test.
});
