import { findBoundaryProblems } from './check/boundaries.ts';
import { findClientSizeProblems } from './check/clientSizes.ts';
import { findStaleGeneratedFiles } from './check/generateProtos.ts';
import { join } from 'node:path';
import { findModelProblems } from './check/model.ts';
import { projectRoot } from './paths.ts';
import { runTool } from './check/runTool.ts';
import { findServiceRowProblems } from './check/serviceRows.ts';
import { findShapeProblems } from './check/serviceShape.ts';
import { findTextProblems } from './check/textRules.ts';
import { readTrackedFiles } from './check/trackedFiles.ts';
import { findTranslationProblems } from './check/translations.ts';
import { findSizeProblems } from './check/webSizes.ts';
import { findCommitProblems, findWordingProblems } from './check/wording.ts';

interface Check {
  name: string;
  /** Returns one text per problem; empty if none. */
  run: () => Promise<string[]>;
}

/** Checks, slowest first, so that two at a time keep both cores busy to the end. */
const checks: readonly Check[] = [
  {
    name: 'unit',
    run: () =>
      command('node', [
        '--experimental-vm-modules',
        '--no-warnings',
        'node_modules/jest/bin/jest.js',
        '--selectProjects',
        'unit',
      ]),
  },
  { name: 'format', run: () => command('prettier', ['--check', '--log-level', 'warn', '--cache', '.']) },
  { name: 'types', run: () => command('tsc', ['--project', 'tsconfig.json', '--pretty', 'false']) },
  { name: 'types:web', run: () => command('tsc', ['--project', 'web/tsconfig.json', '--pretty', 'false']) },
  { name: 'lint', run: () => command('oxlint', ['--deny-warnings']) },
  { name: 'sizes', run: async () => [...(await findSizeProblems()), ...(await findClientSizeProblems())] },
  { name: 'boundaries', run: () => findBoundaryProblems() },
  { name: 'unused', run: () => command('knip', ['--no-progress', '--no-config-hints']) },
  {
    name: 'types:worker',
    run: () => command('tsc', ['--project', 'web/tsconfig.serviceWorker.json', '--pretty', 'false']),
  },
  { name: 'model', run: () => findModelProblems() },
  { name: 'proto', run: () => command('buf', ['lint'], 'proto') },
  { name: 'generated', run: findGeneratedProblems },
  { name: 'translations', run: async () => findTranslationProblems(await readTrackedFiles()) },
  { name: 'shape', run: async () => findShapeProblems(await readTrackedFiles()) },
  { name: 'wording', run: async () => findWordingProblems(await readTrackedFiles()) },
  { name: 'commits', run: findCommitProblems },
  { name: 'text', run: async () => findTextProblems(await readTrackedFiles()) },
];

async function command(program: string, args: string[], folder = ''): Promise<string[]> {
  const { code, output } = await runTool(program, args, join(projectRoot, folder));
  return code === 0 ? [] : [output.trim() || `${program} exited with code ${code}.`];
}

async function findGeneratedProblems(): Promise<string[]> {
  const stale = await findStaleGeneratedFiles();
  return [
    ...stale.map((file) => `proto/gen/${file} does not match the .proto files. Run \`npm run generate\`.`),
    ...(await findServiceRowProblems()),
  ];
}

/**
 * Runs the named checks, or all of them, two at a time, and continues after failures. Names after `--without` are
 * excluded. Ends with the line `N passed, N failed` and returns the exit code.
 */
export async function runChecks(words: readonly string[]): Promise<number> {
  const end = words.includes('--without') ? words.indexOf('--without') : words.length;
  const [names, without] = [words.slice(0, end), words.slice(end + 1)];
  const unknown = [...names, ...without].filter((name) => !checks.some((check) => matches(check, name)));
  if (unknown.length > 0) {
    console.error(
      `Unknown check: ${unknown.join(', ')}. Available checks: ${checks.map(({ name }) => name).join(', ')}.`,
    );
    return 2;
  }
  const waiting = checks
    .filter((check) => names.length === 0 || names.some((name) => matches(check, name)))
    .filter((check) => !without.some((name) => matches(check, name)));
  const total = waiting.length;
  const failures: { name: string; problems: string[] }[] = [];

  async function work(): Promise<void> {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const began = performance.now();
      const problems = await check.run().catch((error: unknown) => [describe(error)]);
      const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
      console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${check.name.padEnd(14)}${seconds} s`);
      if (problems.length > 0) failures.push({ name: check.name, problems });
    }
  }
  await Promise.all([work(), work()]);

  for (const { name, problems } of failures) {
    console.log(`\n---- ${name} ----\n${problems.join('\n')}`);
  }
  console.log(`${failures.length > 0 ? '\n' : ''}${total - failures.length} passed, ${failures.length} failed`);
  return failures.length > 0 ? 1 : 0;
}

/** Matches `types` with `types:web` and the like, too. */
function matches(check: Check, name: string): boolean {
  return check.name === name || check.name.startsWith(`${name}:`);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

if (import.meta.main) {
  process.exitCode = await runChecks(process.argv.slice(2));
}
