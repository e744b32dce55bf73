/** Runs the k6 scenarios on a stack of their own: `npm run load -- k6`, or with the names of some of them. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { getCacheFolder, findProgram, isExecutable } from '../../scripts/paths.ts';
import { measureOnStack } from './support/loadStack.ts';
import { printLine } from './support/measure.ts';

const scenarios = ['signIn', 'chatMix'];

function run(program: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: 'inherit' });
    process.once('exit', () => child.kill());
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const scripts = join(import.meta.dirname, 'k6');

/** Runs one scenario against the gateway at an address. */
type K6 = (scenario: string, url: string) => Promise<number>;

function onThisMachine(program: string): K6 {
  return (scenario, url) =>
    run(program, ['run', '--quiet', join(scripts, `${scenario}.js`)], {
      ...process.env,
      BASE_URL: url,
      K6_NO_USAGE_REPORT: 'true',
    });
}

/** Uses the host's network, because the gateway listens on loopback only. */
function inContainer(engine: string): K6 {
  const options = [
    '--rm',
    '--network',
    'host',
    '--volume',
    `${scripts}:/scripts:ro`,
    '--env',
    'K6_NO_USAGE_REPORT=true',
  ];
  return (scenario, url) =>
    run(
      engine,
      [
        'run',
        options,
        '--env',
        `BASE_URL=${url}`,
        'docker.io/grafana/k6',
        'run',
        '--quiet',
        `/scripts/${scenario}.js`,
      ].flat(),
    );
}

async function buildK6(folder: string): Promise<string | undefined> {
  const go = findProgram('go') ?? findProgram('go', { PATH: '/usr/local/go/bin' });
  if (go === undefined) return undefined;
  printLine('Building k6 with Go, once; this takes a few minutes.');
  mkdirSync(folder, { recursive: true });
  const code = await run(go, ['install', 'go.k6.io/k6@latest'], { ...process.env, GOBIN: folder });
  return code === 0 && isExecutable(join(folder, 'k6')) ? join(folder, 'k6') : undefined;
}

/**
 * Finds k6 on the machine, from an earlier build, by building it with Go, or as a container. Returns undefined if none
 * is possible.
 */
async function provideK6(): Promise<K6 | undefined> {
  const folder = join(getCacheFolder(), 'k6');
  const built = join(folder, 'k6');
  const program = findProgram('k6') ?? (isExecutable(built) ? built : await buildK6(folder));
  if (program !== undefined) return onThisMachine(program);
  const engine = findProgram('docker') ?? findProgram('podman');
  return engine === undefined ? undefined : inContainer(engine);
}

const named = process.argv.slice(2);
const unknown = named.find((name) => !scenarios.includes(name));
const k6 = await provideK6();
if (unknown !== undefined || k6 === undefined) {
  printLine(
    unknown === undefined
      ? 'k6 is not installed, and neither is Go (go.dev/dl) to build it, nor Docker or Podman to run its image. Install one of them.'
      : `Unknown scenario "${unknown}". Known scenarios: ${scenarios.join(', ')}.`,
  );
  process.exit(2);
}

await measureOnStack('k6 scenarios', async ({ url }) => {
  const failed: string[] = [];
  for (const scenario of scenarios.filter((name) => named.length === 0 || named.includes(name))) {
    printLine(`\n── ${scenario} ──`);
    const code = await k6(scenario, url);
    if (code !== 0) failed.push(scenario);
  }
  if (failed.length > 0) printLine(`Thresholds were missed in ${failed.join(', ')}.`);
  return failed.length > 0 ? 1 : 0;
});
