import { randomUUID } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { forgetBacking } from './backing.ts';
import { goTools, knownGoTool } from './check/goTools.ts';
import { openChildLogs, quiet } from './childLog.ts';
import { provideChromium } from './chromium.ts';
import { lockInstance } from './instanceLock.ts';
import type { Interruption } from './interruption.ts';
import { mayLaunch, remember } from './liveChildren.ts';
import { provideMediaWorker } from './mediaWorker/provideMediaWorker.ts';
import type { Options } from './options.ts';
import { projectRoot } from './paths.ts';
import { processesWithEnv, signal, waitUntilGone } from './processes.ts';
import { consoleProgress, type Progress } from './progress.ts';
import { Refusal, sentenceOf } from './refusal.ts';
import type { SharedBacking } from './sharedBacking.ts';
import { provideTestPrograms, type TestPrograms } from './testPrograms.ts';
import { startTestBacking } from './testBackends.ts';
import { buildWeb } from './webBuild.ts';

interface Stage {
  name: string;
  /** After which it is ended: two to three times what it takes on two quiet processors. */
  minutes: number;
  /** Files at once, where it is not the two of jest.config.mjs. */
  workers?: number;
  needs: { backing: boolean; web: boolean; browser: boolean; media: boolean; tools?: boolean };
}

/** In this order: what is fast and narrow first. Each is a project of jest.config.mjs. */
const stages: readonly Stage[] = [
  { name: 'unit', minutes: 4, needs: { backing: false, web: false, browser: false, media: false } },
  {
    name: 'integration',
    minutes: 16,
    // Half of the time they wait for a store, or for a service to come up.
    workers: 3,
    needs: { backing: true, web: false, browser: false, media: true, tools: true },
  },
  {
    name: 'journeys',
    minutes: 32,
    needs: { backing: true, web: true, browser: true, media: true, tools: true },
  },
  { name: 'faults', minutes: 9, needs: { backing: true, web: false, browser: false, media: true } },
];

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

interface Outcome extends Counts {
  failedFiles: string[];
  failedTests: string[];
}

interface Wanted {
  stages: Stage[];
  jestArguments: string[];
  minutes: number | undefined;
}

/** `npm test`: its own set-up, the stages, and one line with the counts. Answers with the exit code. */
export async function runTests(options: Options, interruption: Interruption): Promise<number> {
  const wanted = readWords(options.words);
  const progress = consoleProgress(process.stdout);
  const home = process.env['NOLO_HOME'] ? options.home : join(options.home, 'test');
  const unlock = lockInstance(home, 'another npm test');
  const logs = openChildLogs(home, (line) => process.stdout.write(`${line}\n`));
  const total: Counts = { passed: 0, failed: 0, skipped: 0 };
  let backing: SharedBacking | undefined;
  try {
    if (wanted.stages.some((stage) => stage.needs.backing)) {
      // Every run begins with empty stores, whatever the last one left.
      forgetBacking(home);
      backing = await startTestBacking({ home, logs, progress, onNotice: progress.warn }, process.env);
    }
    for (const stage of wanted.stages) {
      if (interruption.requested) break;
      const counts = await runStage(stage, wanted, { home, backing, options, progress, logs });
      total.passed += counts.passed;
      total.failed += counts.failed;
      total.skipped += counts.skipped;
    }
  } catch (error) {
    if (interruption.requested) return await interruption.happened;
    // The set-up failed, and with it everything that would have come after.
    process.stderr.write(`\n${sentenceOf(error)}\n`);
    total.failed += 1;
  } finally {
    logs.mute();
    await backing?.stop();
    await interruption.cleanUp();
    // Under root the data lies outside of this folder, where it would outlive it.
    if (backing !== undefined) forgetBacking(home);
    logs.close();
    unlock();
  }
  if (interruption.requested) return await interruption.happened;
  const skipped = total.skipped > 0 ? `, ${String(total.skipped)} skipped` : '';
  process.stdout.write(`\n${String(total.passed)} passed, ${String(total.failed)} failed${skipped}\n`);
  return total.failed > 0 ? 1 : 0;
}

/** Stage names, then what is for jest: `unit integration --pattern chat -t "sends"`. */
function readWords(words: string[]): Wanted {
  const rest = [...words];
  const named: Stage[] = [];
  const jestArguments: string[] = [];
  let minutes: number | undefined;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--pattern') jestArguments.push('--testPathPatterns', rest.shift() ?? '');
    else if (word === '--minutes') minutes = Number(rest.shift());
    else if (word === '-t') jestArguments.push('--testNamePattern', rest.shift() ?? '');
    else if (word.startsWith('-')) jestArguments.push(word);
    else {
      const stage = stages.find(({ name }) => name === word);
      if (stage === undefined) {
        throw new Refusal(
          `"${word}" is no stage of the tests; there are ${stages.map(({ name }) => name).join(', ')}. A part of a file's name goes after --pattern.`,
        );
      }
      named.push(stage);
    }
  }
  if (minutes !== undefined && !(minutes > 0)) {
    throw new Refusal('--minutes takes the number of minutes that a stage may take.');
  }
  return {
    stages: stages.filter((stage) => named.length === 0 || named.includes(stage)),
    jestArguments,
    minutes,
  };
}

interface StageContext {
  home: string;
  backing: SharedBacking | undefined;
  options: Options;
  progress: Progress;
  logs: ReturnType<typeof openChildLogs>;
}

async function runStage(stage: Stage, wanted: Wanted, context: StageContext): Promise<Counts> {
  process.stdout.write(`\n── ${stage.name} ──\n`);
  try {
    if (stage.needs.web) await buildWeb(context.progress, context.logs.of('web', quiet));
    const chromium = stage.needs.browser ? await provideChromium(context.options, context.progress) : undefined;
    const mediaWorker = stage.needs.media ? await provideWorker(context.progress) : undefined;
    const tools = stage.needs.tools === true ? await provideTestPrograms(context.progress) : undefined;
    return await runTwice(stage, wanted, context, { chromium, mediaWorker, tools });
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** More failed files than this are no accident. */
const mostTriedAgain = 10;

/**
 * What failed in a whole run is tried once more, alone: a machine that stood still for seconds is no fault of the code,
 * and a fault of the code fails again. What passes only then is named, so that somebody mends it.
 */
async function runTwice(stage: Stage, wanted: Wanted, context: StageContext, programs: Programs): Promise<Counts> {
  const first = await runJest(stage, wanted, context, programs);
  const files = first.failedFiles;
  const whole = wanted.jestArguments.length === 0;
  if (!whole || first.failed === 0 || files.length === 0 || files.length > mostTriedAgain) return first;
  process.stdout.write(`\nOnce more, alone: ${files.map((file) => relative(projectRoot, file)).join(', ')}\n`);
  const jestArguments = ['--runInBand', '--runTestsByPath', ...files];
  const again = await runJest(stage, { ...wanted, jestArguments }, context, programs);
  const tests = first.failedTests.filter((test) => !again.failedTests.includes(test));
  for (const test of tests) process.stdout.write(`Passed only on the second try: ${test}\n`);
  // A test that both runs counted is counted once.
  const mended = first.failed - again.failed;
  return { passed: first.passed + Math.max(0, mended), failed: again.failed, skipped: first.skipped };
}

/** Building it, which happens once, is no part of the time that the stage may take. */
async function provideWorker(progress: Progress): Promise<string> {
  const { binary } = await progress.step(
    'Media worker',
    async () => await provideMediaWorker({ progress }),
    ({ origin }) => origin,
  );
  return binary;
}

/** Programs that the tests of some stages start. */
interface Programs {
  chromium: string | undefined;
  mediaWorker: string | undefined;
  tools: Partial<TestPrograms> | undefined;
}

async function runJest(
  stage: Stage,
  wanted: Wanted,
  { home, backing }: StageContext,
  programs: Programs,
): Promise<Outcome> {
  mayLaunch();
  const run = randomUUID();
  const results = join(home, 'results', `${stage.name}.json`);
  mkdirSync(join(home, 'results'), { recursive: true });
  rmSync(results, { force: true });
  const jest = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--no-warnings',
      join(projectRoot, 'node_modules/jest/bin/jest.js'),
      '--selectProjects',
      stage.name,
      '--passWithNoTests',
      ...workersOf(stage, wanted.jestArguments),
      '--json',
      `--outputFile=${results}`,
      ...wanted.jestArguments,
    ],
    {
      cwd: projectRoot,
      env: jestEnvironment(run, home, backing, programs),
      detached: true,
      // What --json prints is in the file as well.
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
  remember(async () => {
    await endGroup(jest, ended, run);
  }, ended);

  const minutes = wanted.minutes ?? stage.minutes;
  const timer = new AbortController();
  const code = await Promise.race([
    ended,
    sleep(minutes * 60_000, undefined, { signal: timer.signal }).catch(() => undefined),
  ]);
  timer.abort();
  if (code === undefined) {
    process.stderr.write(`The stage ${stage.name} took more than ${String(minutes)} minutes and was ended.\n`);
    await endGroup(jest, ended, run);
  } else {
    await reportLeftOvers(stage, run);
  }
  return outcomeOf(results, code);
}

/** Jest takes either a number of workers or none, and only once. */
function workersOf({ workers }: Stage, jestArguments: readonly string[]): string[] {
  const chosen = jestArguments.some((word) => word === '--runInBand' || word.startsWith('--maxWorkers'));
  return workers === undefined || chosen ? [] : ['--maxWorkers', String(workers)];
}

function jestEnvironment(
  run: string,
  home: string,
  backing: SharedBacking | undefined,
  { chromium, mediaWorker, tools }: Programs,
): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, NOLO_TEST_RUN: run, NOLO_TEST_HOME: home };
  // Tests that bring up stores of their own must not be given somebody's instead.
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'NATS_URL', 'PORT', 'HOST', 'NOLO_HOME', 'NODE_COMPILE_CACHE']) {
    delete env[name];
  }
  if (backing !== undefined) {
    env['NOLO_TEST_DATABASE_URL'] = backing.databaseUrl;
    env['NOLO_TEST_REDIS_URL'] = backing.redisUrl;
    env['NOLO_TEST_NATS_URL'] = backing.natsUrl;
  }
  if (chromium !== undefined) env['CHROMIUM_PATH'] = chromium;
  if (mediaWorker !== undefined) env['MEDIASOUP_WORKER_BIN'] = mediaWorker;
  // Building them takes longer than all that is tested with them, so only `npm run s3:server` does.
  for (const tool of [goTools.versitygw, goTools.minio]) {
    const server = knownGoTool(tool);
    if (server !== undefined) env[`NOLO_TEST_${tool.program.toUpperCase()}`] = server;
  }
  for (const [name, path] of Object.entries(tools ?? {})) env[`NOLO_TEST_${name.toUpperCase()}`] = path;
  return env;
}

/** Ends jest and whatever its tests started, found by the mark in its environment. */
async function endGroup(jest: ChildProcess, ended: Promise<number>, run: string): Promise<void> {
  if (jest.pid !== undefined && jest.exitCode === null && jest.signalCode === null) {
    signal(-jest.pid, 'SIGKILL');
    await ended;
  }
  // Services and stores of the tests notice by themselves that they are alone.
  await waitUntilAlone(run, 8000);
  for (const mark of processesWithEnv('NOLO_TEST_RUN', run)) signal(mark.pid, 'SIGKILL');
}

async function reportLeftOvers(stage: Stage, run: string): Promise<void> {
  await waitUntilAlone(run, 8000);
  for (const mark of processesWithEnv('NOLO_TEST_RUN', run)) {
    const command = commandOf(mark.pid);
    process.stderr.write(`The stage ${stage.name} left a process behind, which is ended now: ${command}\n`);
    signal(mark.pid, 'SIGKILL');
    await waitUntilGone(mark, 2000);
  }
}

async function waitUntilAlone(run: string, timeoutMs: number): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end && processesWithEnv('NOLO_TEST_RUN', run).length > 0) await sleep(100);
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
  /** Files that failed before any test of theirs ran. */
  numRuntimeErrorTestSuites: number;
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[];
}

function outcomeOf(file: string, code: number | undefined): Outcome {
  let results: JestResults | undefined;
  if (existsSync(file)) results = JSON.parse(readFileSync(file, 'utf8')) as JestResults;
  const failed = (results?.testResults ?? []).filter(({ status }) => status === 'failed');
  const outcome: Outcome = {
    passed: results?.numPassedTests ?? 0,
    failed: (results?.numFailedTests ?? 0) + (results?.numRuntimeErrorTestSuites ?? 0),
    skipped: (results?.numPendingTests ?? 0) + (results?.numTodoTests ?? 0),
    failedFiles: failed.map(({ name }) => name),
    failedTests: failed.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    ),
  };
  // A run that was ended, or that failed for another reason than a test, is a failure too.
  if (code === undefined || (code !== 0 && outcome.failed === 0)) outcome.failed += 1;
  return outcome;
}
