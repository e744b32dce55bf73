import { createInterface } from 'node:readline/promises';
import type { LauncherOptions } from './launcherOptions.ts';
import { findProgram } from './paths.ts';
import type { Progress } from './progress.ts';
import { CommandError } from './commandError.ts';
import { runCommand, lastOutputLines } from './runCommand.ts';

/** Browser for tests, as packaged by Debian. */
export interface SystemBrowser<Found> {
  title: string;
  /** Debian packages. */
  packages: string[];
  /** Advice if it cannot be installed, such as "..., or name a Chromium in CHROMIUM_PATH". */
  wayOut: string;
  /** Returns the browser on this machine. Throws a CommandError if the environment names one that cannot run. */
  find: () => Found | undefined;
}

/**
 * Finds the browser, or installs it. Browsers are the only software installed on the system, so the person is prompted
 * first, except with --yes or without a terminal.
 */
export async function provideBrowser<Found>(
  { title, packages, wayOut, find }: SystemBrowser<Found>,
  options: LauncherOptions,
  progress: Progress,
): Promise<Found> {
  const found = find();
  if (found !== undefined) return found;
  if (findProgram('apt-get') === undefined || process.getuid?.() !== 0) {
    throw new CommandError(`The browser tests need ${title}, which is not installed: ${wayOut}.`);
  }
  if (!options.yes && options.interactive && !(await agreed(title, packages))) {
    throw new CommandError(`The browser tests need ${title}: ${wayOut}.`);
  }
  return await progress.step(title, async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
    const install = async (): Promise<{ code: number; output: string }> =>
      await runCommand('apt-get', ['install', '-y', '--no-install-recommends', ...packages], {
        env,
        timeoutMs: 600_000,
      });
    let result = await install();
    if (result.code !== 0) {
      await runCommand('apt-get', ['update'], { env, timeoutMs: 180_000 });
      result = await install();
    }
    const installed = find();
    if (installed === undefined) {
      throw new CommandError(`${title} could not be installed (${lastOutputLines(result.output)}): ${wayOut}.`);
    }
    return installed;
  });
}

async function agreed(title: string, packages: readonly string[]): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const names = packages.map((name) => `"${name}"`).join(', ');
  const answer = await terminal.question(
    `The browser tests need ${title}. Install Debian's ${names} on this system? [y/N] `,
  );
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
