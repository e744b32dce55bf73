import { listenForInterruption } from './interruption.ts';
import { readLauncherOptions, type LauncherOptions } from './launcherOptions.ts';
import { describeFailure } from './commandError.ts';

/** Runs the launcher itself, under Node 24, after nolo.mjs. */
async function run(options: LauncherOptions): Promise<number> {
  // Each command is loaded on demand: a start does not need the test runner.
  switch (options.command) {
    case 'start': {
      const { startInstance: start } = await import('./start.ts');
      const interruption = listenForInterruption();
      return await interruptible(interruption, start(options, interruption));
    }
    case 'test': {
      const { runTests } = await import('./testRun.ts');
      const interruption = listenForInterruption();
      return await interruptible(interruption, runTests(options, interruption));
    }
    case 'stop': {
      const { stopInstance: stop } = await import('./stop.ts');
      return await stop(options);
    }
    case 'doctor': {
      const { runDoctor: doctor } = await import('./doctor.ts');
      return await doctor(options);
    }
    case 'admin': {
      const { runInstanceAdminCommand: admin } = await import('./admin.ts');
      return await admin(options);
    }
    case 'check': {
      const { runChecks } = await import('./check.ts');
      return await runChecks(options.words);
    }
  }
}

/**
 * Runs a command that may be interrupted before it listens for that itself. Everything it started is then ended, and
 * its resulting error is ignored.
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
  process.exitCode = await run(readLauncherOptions(process.argv.slice(2), process.env));
} catch (error) {
  process.stderr.write(`\n${describeFailure(error)}\n`);
  process.exitCode = 1;
}
// An open channel to the bootstrap, or a log still being written, must not keep the process alive.
process.exit();
