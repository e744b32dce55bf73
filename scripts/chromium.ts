import type { LauncherOptions } from './launcherOptions.ts';
import { findProgram, isExecutable } from './paths.ts';
import type { Progress } from './progress.ts';
import { CommandError } from './commandError.ts';
import { provideBrowser, type SystemBrowser } from './systemBrowser.ts';
import { provideTestProgram, type TestProgram } from './testPrograms.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Returns a Chromium on this machine, or the one that CHROMIUM_PATH names. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return isExecutable(named) ? named : undefined;
  for (const name of names) {
    const found = findProgram(name) ?? (isExecutable(`/usr/bin/${name}`) ? `/usr/bin/${name}` : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

const chromium: SystemBrowser<string> = {
  title: 'Chromium',
  packages: ['chromium'],
  wayOut: 'install it ("apt-get install chromium" as root), or set CHROMIUM_PATH',
  find() {
    const found = findChromium();
    if (found === undefined && process.env['CHROMIUM_PATH']) {
      throw new CommandError(`CHROMIUM_PATH names ${process.env['CHROMIUM_PATH']}, which cannot be run.`);
    }
    return found;
  },
};

/**
 * Chromium's headless shell: the same engine without the windows, menus and internal pages that a full browser draws
 * for every tab, even without a screen. A story takes half the processor time in it. Debian builds it with each
 * Chromium.
 */
const headlessShell: TestProgram = {
  title: "Chromium's headless shell",
  name: 'chromium-headless-shell',
  // The second package has the data next to the program; an installed one may be of another version.
  packages: ['chromium-headless-shell', 'chromium-common'],
  program: 'usr/lib/chromium/chromium-headless-shell',
  wayOut: 'install chromium-headless-shell with your package manager; until then, the journeys use the full Chromium',
  settings: () => ({}),
};

/**
 * Returns the browser for journey tests: the one that CHROMIUM_PATH names, the headless shell, or else the full
 * Chromium.
 */
export async function provideChromium(options: LauncherOptions, progress: Progress): Promise<string> {
  // The full browser also provides fonts and their settings.
  const whole = await provideBrowser(chromium, options, progress);
  if (process.env['CHROMIUM_PATH']) return whole;
  return (await provideTestProgram(headlessShell, progress)) ?? whole;
}
