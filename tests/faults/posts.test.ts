import { runPostChaos } from '../chaos/support/postChaos.ts';
import { startPostingGround, type PostingGround } from '../support/postingGround.ts';
import { environmentOfTests } from '../support/testStack.ts';

/** Short form of `npm run chaos -- posts`, which kills 500 times. */
const kills = 12;
const seed = Number(process.env['NOLO_FAULT_SEED'] ?? Date.now() % 1_000_000_000);

let ground: PostingGround;

beforeAll(async () => {
  ground = await startPostingGround(environmentOfTests());
});

afterAll(async () => {
  await ground?.stop();
  process.stderr.write(`posts with NOLO_FAULT_SEED=${seed}\n`);
});

it('workers killed at random, with clocks that are wrong and a Redis that is emptied: no post is lost, doubled or silent', async () => {
  const report = await runPostChaos(ground, { kills, seed, say: () => undefined });
  expect(report.violations).toEqual([]);
  expect(report.kills).toBe(kills);
  // The kills hit what this tests.
  expect(report.midway).toBeGreaterThan(kills / 4);
  expect(report.again).toBeGreaterThan(kills / 4);
  expect(report.emptied).toBeGreaterThan(0);
  expect(report.ends['published']).toBeGreaterThan(report.deliveries / 2);
  // Slowness of a busy machine is not a fault of the code under test.
}, 600_000);
