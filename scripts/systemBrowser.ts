import { createInterface } from 'node:readline/promises';
import type { Options } from './options.ts';
import { findProgram } from './paths.ts';
import type { Progress } from './progress.ts';
import { Refusal } from './refusal.ts';
import { runCommand, tailOf } from './runCommand.ts';

/** A browser that tests are run in, as Debian has it. */
export interface SystemBrowser<Found> {
  title: string;
  /** Debian's packages. */
  packages: string[];
  /** What to do where it cannot be installed, as "..., or name a Chromium in CHROMIUM_PATH". */
  wayOut: string;
  /** What was found on this machine; throws a Refusal where the environment names what cannot be run. */
  find: () => Found | undefined;
}

/**
 * Finds the browser, or installs it. Browsers are the one thing that is installed on the system, so it is asked for, unless
 * --yes was given or nobody is there to answer.
 */
export async function provideBrowser<Found>(
  { title, packages, wayOut, find }: SystemBrowser<Found>,
  options: Options,
  progress: Progress,
): Promise<Found> {
  const found = find();
  if (found !== undefined) return found;
  if (findProgram('apt-get') === undefined || process.getuid?.() !== 0) {
    throw new Refusal(`The browser tests need ${title}, which is not on this machine: ${wayOut}.`);
  }
  if (!options.yes && options.interactive && !(await agreed(title, packages))) {
    throw new Refusal(`The browser tests need ${title}: ${wayOut}.`);
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
      throw new Refusal(`${title} could not be installed (${tailOf(result.output)}): ${wayOut}.`);
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
