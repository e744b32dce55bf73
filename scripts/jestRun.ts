import { randomUUID } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findInstalledGoTool } from './check/goTools.ts';
import { requireLaunchAllowed, trackChild } from './liveChildren.ts';
import { projectRoot } from './paths.ts';
import { findProcessesWithEnv, sendSignal, waitUntilGone } from './processes.ts';
import { s3Servers } from './s3Servers.ts';
import type { TestRunBackingServices } from './testBackends.ts';
import { shortenFailureMessage, fileLevelFailure, type JestOutcome } from './testCounts.ts';
import type { TestPrograms } from './testPrograms.ts';

export interface JestRun {
  /** Name of the stage, for its results and messages. */
  name: string;
  /** Projects in jest.config.mjs. */
  projects: readonly string[];
  /** Number of files run in parallel. Default: as in jest.config.mjs. */
  workers?: number;
  /** Minutes after which it is ended. */
  minutes: number;
  /** Arguments passed to jest. */
  jestArguments: readonly string[];
}

/** Programs that the tests of some stages start. */
export interface TestProgramPaths {
  chromium: string | undefined;
  /** Environment for other browsers, including unavailable ones. */
  engines: Record<string, string> | undefined;
  mediaWorker: string | undefined;
  tools: Partial<TestPrograms> | undefined;
}

/** Environment of a test run. */
export interface TestResources {
  /** Folder for results and screenshots. */
  home: string;
  backing: TestRunBackingServices | undefined;
  /** Folder of the bundled packages from `provideBundledDependencies`. */
  dependencies: string | undefined;
  programs: TestProgramPaths;
}

/** Runs jest in its own process group. Nothing of the group is left when this resolves. */
export async function runJest(wanted: JestRun, surroundings: TestResources): Promise<JestOutcome> {
  requireLaunchAllowed();
  const run = randomUUID();
  const { home } = surroundings;
  const results = join(home, 'results', `${wanted.name}.json`);
  mkdirSync(join(home, 'results'), { recursive: true });
  rmSync(results, { force: true });
  const jest = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--no-warnings',
      join(projectRoot, 'node_modules/jest/bin/jest.js'),
      '--selectProjects',
      ...wanted.projects,
      '--passWithNoTests',
      ...workersOf(wanted),
      '--json',
      `--outputFile=${results}`,
      ...wanted.jestArguments,
    ],
    {
      cwd: projectRoot,
      env: jestEnvironment(run, surroundings),
      detached: true,
      // Output of --json is also in the file.
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const ended = new Promise<number>((resolve) => {
    jest.once('error', () => {
      resolve(127);
    });
    jest.once('exit', (code) => {
      resolve(code ?? 1);
    });
  });
  trackChild(async () => {
    await endGroup(jest, ended, run);
  }, ended);

  const timer = new AbortController();
  const code = await Promise.race([
    ended,
    sleep(wanted.minutes * 60_000, undefined, { signal: timer.signal }).catch(() => undefined),
  ]);
  timer.abort();
  if (code === undefined) {
    process.stderr.write(`The stage ${wanted.name} ${tooLong(wanted)}.\n`);
    await endGroup(jest, ended, run);
  } else {
    await reportLeftOvers(wanted.name, run);
  }
  return outcomeOf(wanted, results, code);
}

/** Returns jest's worker arguments. Jest accepts only one of them, and only once. */
function workersOf({ workers, jestArguments }: JestRun): string[] {
  const chosen = jestArguments.some((word) => word === '--runInBand' || word.startsWith('--maxWorkers'));
  return workers === undefined || chosen ? [] : ['--maxWorkers', String(workers)];
}

function jestEnvironment(run: string, { home, backing, dependencies, programs }: TestResources): NodeJS.ProcessEnv {
  const { chromium, engines, mediaWorker, tools } = programs;
  const env: NodeJS.ProcessEnv = { ...process.env, NOLO_TEST_RUN: run, NOLO_TEST_HOME: home };
  // Tests that start stores of their own must not use existing ones instead.
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'NATS_URL', 'PORT', 'HOST', 'NOLO_HOME', 'NODE_COMPILE_CACHE']) {
    delete env[name];
  }
  if (backing !== undefined) {
    env['NOLO_TEST_DATABASE_URL'] = backing.databaseUrl;
    env['NOLO_TEST_REDIS_URL'] = backing.redisUrl;
    env['NOLO_TEST_NATS_URL'] = backing.natsUrl;
    env['NOLO_TEST_DATABASE_TEMPLATE'] = backing.databaseTemplate;
  }
  if (dependencies !== undefined) env['NOLO_TEST_DEPENDENCIES'] = dependencies;
  if (chromium !== undefined) env['CHROMIUM_PATH'] = chromium;
  Object.assign(env, engines);
  if (mediaWorker !== undefined) env['MEDIASOUP_WORKER_BIN'] = mediaWorker;
  for (const tool of s3Servers) {
    const server = findInstalledGoTool(tool);
    if (server !== undefined) env[`NOLO_TEST_${tool.program.toUpperCase()}`] = server;
  }
  for (const [name, path] of Object.entries(tools ?? {})) env[`NOLO_TEST_${name.toUpperCase()}`] = path;
  return env;
}

/** Ends jest and everything its tests started, found by the marker in its environment. */
async function endGroup(jest: ChildProcess, ended: Promise<number>, run: string): Promise<void> {
  if (jest.pid !== undefined && jest.exitCode === null && jest.signalCode === null) {
    sendSignal(-jest.pid, 'SIGKILL');
    await ended;
  }
  // Services and stores of the tests stop by themselves once they are alone.
  await waitUntilAlone(run, 8000);
  for (const identity of findProcessesWithEnv('NOLO_TEST_RUN', run)) sendSignal(identity.pid, 'SIGKILL');
}

async function reportLeftOvers(stage: string, run: string): Promise<void> {
  await waitUntilAlone(run, 8000);
  for (const identity of findProcessesWithEnv('NOLO_TEST_RUN', run)) {
    const command = commandOf(identity.pid);
    process.stderr.write(`The stage ${stage} left a process running, which is killed now: ${command}\n`);
    sendSignal(identity.pid, 'SIGKILL');
    await waitUntilGone(identity, 2000);
  }
}

async function waitUntilAlone(run: string, timeoutMs: number): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end && findProcessesWithEnv('NOLO_TEST_RUN', run).length > 0) await sleep(100);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'latin1')
      .replaceAll('\0', ' ')
      .slice(0, 300);
  } catch {
    return `process ${String(pid)}`;
  }
}

interface JestResults {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Number of files that failed before any of their tests ran. */
  numRuntimeErrorTestSuites: number;
  testResults: {
    name: string;
    status: string;
    /** Message for all failures in the file. */
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

const tooLong = ({ minutes }: JestRun) => `took more than ${String(minutes)} minutes and was stopped`;

function outcomeOf(wanted: JestRun, file: string, code: number | undefined): JestOutcome {
  let results: JestResults | undefined;
  if (existsSync(file)) results = JSON.parse(readFileSync(file, 'utf8')) as JestResults;
  const failed = (results?.testResults ?? []).filter(({ status }) => status === 'failed');
  const outcome: JestOutcome = {
    passed: results?.numPassedTests ?? 0,
    failed: (results?.numFailedTests ?? 0) + (results?.numRuntimeErrorTestSuites ?? 0),
    skipped: (results?.numPendingTests ?? 0) + (results?.numTodoTests ?? 0),
    failedFiles: failed.map(({ name }) => name),
    failedTests: failed.flatMap(({ name: file, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      // Failures can occur before or after the tests of a file.
      if (tests.length === 0) return [{ file, name: fileLevelFailure, reason: shortenFailureMessage(message) }];
      return tests.map(({ fullName: name, failureMessages }) => {
        return { file, name, reason: shortenFailureMessage(failureMessages[0] ?? '') };
      });
    }),
  };
  // A run that was ended, or that failed for a reason other than a test, is a failure, too.
  if (code === undefined || (code !== 0 && outcome.failed === 0)) {
    outcome.failed += 1;
    const reason = code === undefined ? `It ${tooLong(wanted)}.` : `Jest exited with code ${String(code)}.`;
    outcome.failedTests.push({ name: `the stage ${wanted.name}`, reason });
  }
  return outcome;
}
