import { createInterface } from 'node:readline/promises';
import type { Options } from './options.ts';
import { findProgram, isExecutable } from './paths.ts';
import type { Progress } from './progress.ts';
import { Refusal } from './refusal.ts';
import { runCommand, tailOf } from './runCommand.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A Chromium on this machine; CHROMIUM_PATH names another one. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return isExecutable(named) ? named : undefined;
  for (const name of names) {
    const found = findProgram(name) ?? (isExecutable(`/usr/bin/${name}`) ? `/usr/bin/${name}` : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The browser for the tests. It is the one thing that is installed on the system, so it is asked
 * for, unless --yes was given or nobody is there to answer.
 */
export async function provideChromium(options: Options, progress: Progress): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.env['CHROMIUM_PATH']) {
    throw new Refusal(`CHROMIUM_PATH names ${process.env['CHROMIUM_PATH']}, which cannot be run.`);
  }
  const wayOut = 'install it ("apt-get install chromium" as root), or name a Chromium in CHROMIUM_PATH';
  if (findProgram('apt-get') === undefined || process.getuid?.() !== 0) {
    throw new Refusal(`The browser tests need Chromium, which is not on this machine: ${wayOut}.`);
  }
  if (!options.yes && options.interactive && !(await agreed())) {
    throw new Refusal(`The browser tests need Chromium: ${wayOut}.`);
  }
  return await progress.step('Chromium', async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
    const install = async (): Promise<{ code: number; output: string }> =>
      await runCommand('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], {
        env,
        timeoutMs: 600_000,
      });
    let result = await install();
    if (result.code !== 0) {
      await runCommand('apt-get', ['update'], { env, timeoutMs: 180_000 });
      result = await install();
    }
    const installed = findChromium();
    if (installed === undefined) {
      throw new Refusal(`Chromium could not be installed (${tailOf(result.output)}): ${wayOut}.`);
    }
    return installed;
  });
}

async function agreed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(
    'The browser tests need Chromium. Install the Debian package "chromium" on this system? [y/N] ',
  );
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
