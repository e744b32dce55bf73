import { setTimeout as sleep } from 'node:timers/promises';
import { listenForInterruption } from '../interruption.ts';
import { createConsoleProgress } from '../progress.ts';
import { describeFailure } from '../commandError.ts';
import { provideMediaWorker } from './provideMediaWorker.ts';

/** Runs `npm run media:worker`: provides the media worker and prints its path. */
const interruption = listenForInterruption();
const progress = createConsoleProgress(process.stdout);
const work = progress
  .step(
    'Media worker',
    async () => await provideMediaWorker({ progress }),
    ({ binary, origin }) => `${origin} (${binary})`,
  )
  .then(() => 0)
  .catch((error: unknown) => {
    if (!interruption.requested) process.stderr.write(`\n${describeFailure(error)}\n`);
    return 1;
  });
const code = await Promise.race([work, interruption.happened]);
await interruption.cleanUp();
if (interruption.requested) await Promise.race([work, sleep(2000)]);
process.exit(code);
