/** Kills workers of social-scheduler at random points. Checks that no post is lost, duplicated or silent. */
import { listenForInterruption } from '../../scripts/interruption.ts';
import { describeConditions, printLine } from '../load/support/measure.ts';
import { startSocialPostingTestbed, type SocialPostingTestbed } from '../support/stacks/socialPostingTestbed.ts';
import { runPostChaos } from './support/postChaos.ts';

const kills = Number(process.argv[2] ?? 500);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);

const interruption = listenForInterruption();
interruption.handled = true;
let testbed: SocialPostingTestbed | undefined;

async function run(): Promise<number> {
  testbed = await startSocialPostingTestbed();
  printLine(`${kills} kills, seed ${seed}\n${describeConditions()}`);
  const { violations, ends, ...counts } = await runPostChaos(testbed, { kills, seed, printLine });
  for (const [name, count] of [...Object.entries(counts), ...Object.entries(ends)]) printLine(`${name}: ${count}`);
  for (const violation of violations.slice(0, 50)) printLine(`VIOLATION: ${violation}`);
  printLine(`${violations.length} violations.\n${describeConditions()}`);
  return violations.length === 0 ? 0 : 1;
}

let code = 1;
try {
  code = await Promise.race([run(), interruption.happened]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
} finally {
  await testbed?.stop();
  await interruption.cleanUp();
}
// Open sockets and timers of an interrupted run must not keep the process alive.
process.exit(code);
