import { runPostChaos } from '../chaos/support/postChaos.ts';
import { startSocialPostingTestbed, type SocialPostingTestbed } from '../support/stacks/socialPostingTestbed.ts';
import { getTestEnv } from '../support/stacks/testStack.ts';

/** Short form of `npm run chaos -- posts`, which kills 500 times. */
const kills = 8;
const seed = Number(process.env['NOLO_FAULT_SEED'] ?? Date.now() % 1_000_000_000);

let testbed: SocialPostingTestbed;

beforeAll(async () => {
  testbed = await startSocialPostingTestbed(getTestEnv());
});

afterAll(async () => {
  await testbed?.stop();
  process.stderr.write(`posts with NOLO_FAULT_SEED=${seed}\n`);
});

it('each post has exactly one outcome while workers die, clocks err and Redis is emptied', async () => {
  const report = await runPostChaos(testbed, { kills, seed, printLine: () => undefined });
  expect(report.violations).toEqual([]);
  expect(report.kills).toBe(kills);
  // The kills hit what this tests.
  expect(report.midway).toBeGreaterThan(1);
  expect(report.retriedDeliveries).toBeGreaterThan(kills / 4);
  expect(report.emptied).toBeGreaterThan(0);
  expect(report.ends['published']).toBeGreaterThan(report.deliveries / 2);
  // Slowness of a busy machine is not a fault of the code under test.
}, 600_000);
