import type { Options } from './options.ts';
import { findProgram, isExecutable } from './paths.ts';
import type { Progress } from './progress.ts';
import { Refusal } from './refusal.ts';
import { provideBrowser, type SystemBrowser } from './systemBrowser.ts';
import { provideTestProgram, type TestProgram } from './testPrograms.ts';

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

const chromium: SystemBrowser<string> = {
  title: 'Chromium',
  packages: ['chromium'],
  wayOut: 'install it ("apt-get install chromium" as root), or name a Chromium in CHROMIUM_PATH',
  find() {
    const found = findChromium();
    if (found === undefined && process.env['CHROMIUM_PATH']) {
      throw new Refusal(`CHROMIUM_PATH names ${process.env['CHROMIUM_PATH']}, which cannot be run.`);
    }
    return found;
  },
};

/**
 * The same engine without the windows, menus and pages of its own that a whole browser draws for every tab, even where
 * there is no screen: a story costs half the processor time in it. Debian builds it with each Chromium.
 */
const headlessShell: TestProgram = {
  title: "Chromium's headless shell",
  name: 'chromium-headless-shell',
  // The second has the data that lies beside the program; an installed one may be of another version.
  packages: ['chromium-headless-shell', 'chromium-common'],
  program: 'usr/lib/chromium/chromium-headless-shell',
  wayOut: 'install chromium-headless-shell with your package manager; the journeys take the whole Chromium meanwhile',
  settings: () => ({}),
};

/** The browser of the journeys: the one that CHROMIUM_PATH names, the headless shell, or else the whole Chromium. */
export async function provideChromium(options: Options, progress: Progress): Promise<string> {
  // Fonts and their settings come with it.
  const whole = await provideBrowser(chromium, options, progress);
  if (process.env['CHROMIUM_PATH']) return whole;
  return (await provideTestProgram(headlessShell, progress)) ?? whole;
}
