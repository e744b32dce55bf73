/** Runs the k6 scenarios on a stack of their own: `npm run load -- k6`, or with the names of some of them. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, findProgram, isExecutable } from '../../scripts/paths.ts';
import { measureOnStack } from './support/loadStack.ts';
import { say } from './support/measure.ts';

const scenarios = ['signIn', 'chatMix'];

function run(program: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: 'inherit' });
    process.once('exit', () => child.kill());
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** k6 of the machine, the one that was built before, or one that is built now with Go; undefined where there is no way. */
async function provideK6(): Promise<string | undefined> {
  const folder = join(cacheFolder(), 'k6');
  const built = join(folder, 'k6');
  const there = findProgram('k6') ?? (isExecutable(built) ? built : undefined);
  if (there !== undefined) return there;
  const go = findProgram('go') ?? findProgram('go', { PATH: '/usr/local/go/bin' });
  if (go === undefined) return undefined;
  say('k6 is built with Go, once; that takes some minutes.');
  mkdirSync(folder, { recursive: true });
  const code = await run(go, ['install', 'go.k6.io/k6@latest'], { ...process.env, GOBIN: folder });
  return code === 0 && isExecutable(built) ? built : undefined;
}

const named = process.argv.slice(2);
const unknown = named.find((name) => !scenarios.includes(name));
const k6 = await provideK6();
if (unknown !== undefined || k6 === undefined) {
  say(
    unknown === undefined
      ? 'k6 is not on this machine, and it cannot be built without Go (go.dev/dl): install either, or run the scripts of tests/load/k6 with the image grafana/k6 and BASE_URL.'
      : `There is no scenario "${unknown}"; there are ${scenarios.join(', ')}.`,
  );
  process.exit(2);
}

await measureOnStack('k6 scenarios', async ({ url }) => {
  const failed: string[] = [];
  for (const scenario of scenarios.filter((name) => named.length === 0 || named.includes(name))) {
    say(`\n── ${scenario} ──`);
    const code = await run(k6, ['run', '--quiet', join(import.meta.dirname, `k6/${scenario}.js`)], {
      ...process.env,
      BASE_URL: url,
      K6_NO_USAGE_REPORT: 'true',
    });
    if (code !== 0) failed.push(scenario);
  }
  if (failed.length > 0) say(`Thresholds were missed in ${failed.join(', ')}.`);
  return failed.length > 0 ? 1 : 0;
});
