/** Breaks browsers in sealed conversations, and checks what everyone opens afterwards (docs/faults.md, Tabs). */
import { parseArgs } from 'node:util';
import { findChromium } from '../../scripts/chromium.ts';
import { measureOnStack } from '../load/support/loadStack.ts';
import { printLine } from '../load/support/measure.ts';
import { createSeededRandom } from '../support/clients/scenario.ts';
import { emptiedStorage, oldProfile } from './support/lostBrowsers.ts';
import { fourTabs, tabKills, wrongClock } from './support/busyTabs.ts';
import { removedMember } from './support/removedBrowser.ts';

const scenarios = { kills: tabKills, fourTabs, emptiedStorage, oldProfile, wrongClock, removedMember };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true } },
});
const kills = Number(positionals[0] ?? 200);
const seed = Number(positionals[1] ?? Date.now() % 1_000_000_000);
const chosen = Object.entries(scenarios).filter(([name]) => values.only?.includes(name) ?? true);

if (chosen.length === 0) {
  printLine(`--only takes one of ${Object.keys(scenarios).join(', ')}.`);
  process.exit(2);
}
process.env['CHROMIUM_PATH'] ??= findChromium();

await measureOnStack(
  `Breaking browsers, ${kills} kills, seed ${seed}`,
  async ({ url, liftLimits }) => {
    let failed = 0;
    for (const [name, run] of chosen) {
      const began = Date.now();
      const violations = await run({ url, liftLimits, kills, random: createSeededRandom(seed) }).catch(
        (error: unknown) => [String(error)],
      );
      printLine(`${name}: ${violations.length} violations, ${Math.round((Date.now() - began) / 1000)} s`);
      for (const violation of violations) printLine(`VIOLATION: ${violation}`);
      failed += violations.length;
    }
    return failed === 0 ? 0 : 1;
  },
  { web: true },
);
