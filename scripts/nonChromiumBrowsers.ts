import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LauncherOptions } from './launcherOptions.ts';
import { findProgram, isExecutable } from './paths.ts';
import type { Progress } from './progress.ts';
import { CommandError } from './commandError.ts';
import { provideBrowser, type SystemBrowser } from './systemBrowser.ts';

/** Debian's Firefox ESR, or the one that FIREFOX_PATH names. */
const firefox: SystemBrowser<string> = {
  title: 'Firefox',
  packages: ['firefox-esr'],
  wayOut: 'install it ("apt-get install firefox-esr" as root), or set FIREFOX_PATH',
  find() {
    const named = process.env['FIREFOX_PATH'];
    if (!named) return findProgram('firefox-esr') ?? findProgram('firefox');
    if (isExecutable(named)) return named;
    throw new CommandError(`FIREFOX_PATH names ${named}, which cannot be run.`);
  },
};

/** WebKit in its smallest browser, with its driver, and the display and message bus it needs to start. */
const webkit: SystemBrowser<string> = {
  title: 'WebKitGTK',
  packages: ['webkit2gtk-driver', 'xvfb', 'xauth', 'dbus'],
  wayOut: 'install it ("apt-get install webkit2gtk-driver xvfb dbus" as root)',
  find() {
    const programs = ['WebKitWebDriver', 'Xvfb', 'dbus-run-session'].map((name) => findProgram(name));
    return programs.includes(undefined) ? undefined : miniBrowser();
  },
};

/** Returns the path of MiniBrowser, which is not a user program and is located next to the library. */
function miniBrowser(): string | undefined {
  for (const folder of foldersIn('/usr/lib')) {
    for (const version of foldersIn(folder).filter((path) => /\/webkit2?gtk-\d[\d.]*$/.test(path))) {
      const path = join(version, 'MiniBrowser');
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

/** Browsers for those tests, as available on this machine. */
export const nonChromiumBrowsers: readonly SystemBrowser<string>[] = [firefox, webkit];

/**
 * Returns the environment for tests in browsers other than Chromium: the path of each browser, or the reason why it is
 * unavailable and its tests are skipped.
 */
export async function provideNonChromiumBrowsers(
  options: LauncherOptions,
  progress: Progress,
): Promise<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const [name, browser] of [
    ['FIREFOX', firefox],
    ['WEBKIT', webkit],
  ] as const) {
    try {
      environment[`NOLO_TEST_${name}`] = await provideBrowser(browser, options, progress);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      progress.warn(`${error.message} Its tests are skipped.`);
      environment[`NOLO_TEST_NO_${name}`] = error.message;
    }
  }
  return environment;
}
