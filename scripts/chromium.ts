import { findProgram, isExecutable } from './paths.ts';
import { Refusal } from './refusal.ts';
import type { SystemBrowser } from './systemBrowser.ts';

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

/** The browser of the journeys. */
export const chromium: SystemBrowser<string> = {
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
