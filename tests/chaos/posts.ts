/** Kills workers of social-scheduler at random points. Checks that no post is lost, duplicated or silent. */
import { listenForInterruption } from '../../scripts/interruption.ts';
import { conditions, say } from '../load/support/measure.ts';
import { startPostingGround, type PostingGround } from '../support/postingGround.ts';
import { runPostChaos } from './support/postChaos.ts';

const kills = Number(process.argv[2] ?? 500);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);

const interruption = listenForInterruption();
interruption.handled = true;
let ground: PostingGround | undefined;

async function run(): Promise<number> {
  ground = await startPostingGround();
  say(`${kills} kills, seed ${seed}\n${conditions()}`);
  const { violations, ends, ...counts } = await runPostChaos(ground, { kills, seed, say });
  for (const [name, count] of [...Object.entries(counts), ...Object.entries(ends)]) say(`${name}: ${count}`);
  for (const violation of violations.slice(0, 50)) say(`VIOLATION: ${violation}`);
  say(`${violations.length} violations.\n${conditions()}`);
  return violations.length === 0 ? 0 : 1;
}

let code = 1;
try {
  code = await Promise.race([run(), interruption.happened]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
} finally {
  await ground?.stop();
  await interruption.cleanUp();
}
// Open sockets and timers of an interrupted run must not keep the process alive.
process.exit(code);
