import { listenForInterruption } from './interruption.ts';
import { readOptions, type Options } from './options.ts';
import { sentenceOf } from './refusal.ts';

/** The launcher proper, under Node 24; nolo.mjs comes before it. */
async function run(options: Options): Promise<number> {
  // Each command is loaded only when it is asked for: a start has no use for the test runner.
  switch (options.command) {
    case 'start': {
      const { start } = await import('./start.ts');
      const interruption = listenForInterruption();
      return await interruptible(interruption, start(options, interruption));
    }
    case 'test': {
      const { runTests } = await import('./testRun.ts');
      const interruption = listenForInterruption();
      return await interruptible(interruption, runTests(options, interruption));
    }
    case 'stop': {
      const { stop } = await import('./stop.ts');
      return await stop(options);
    }
    case 'doctor': {
      const { doctor } = await import('./doctor.ts');
      return await doctor(options);
    }
    case 'admin': {
      const { admin } = await import('./admin.ts');
      return await admin(options);
    }
    case 'check': {
      const { runCheck } = await import('./check.ts');
      return await runCheck(options.words);
    }
  }
}

/**
 * A command that is interrupted before it has come to where it listens for that: everything it has
 * started is ended, and how it then fails is of no interest.
 */
async function interruptible(
  interruption: ReturnType<typeof listenForInterruption>,
  command: Promise<number>,
): Promise<number> {
  const first = await Promise.race([
    command.then((code) => ({ code })),
    interruption.happened.then((interrupted) => ({ interrupted })),
  ]);
  if ('code' in first) return first.code;
  const graceful = setTimeout(() => void interruption.cleanUp(), 30_000);
  if (!interruption.handled) await interruption.cleanUp();
  try {
    return await command;
  } catch {
    return first.interrupted;
  } finally {
    clearTimeout(graceful);
  }
}

try {
  process.exitCode = await run(readOptions(process.argv.slice(2), process.env));
} catch (error) {
  process.stderr.write(`\n${sentenceOf(error)}\n`);
  process.exitCode = 1;
}
// A channel to the bootstrap, or a log that is still being written, is no reason to stay.
process.exit();
