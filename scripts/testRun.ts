import { join, relative } from 'node:path';
import { deleteBackingData } from './backingServices.ts';
import { openChildLogs, noLogPattern } from './childLog.ts';
import { provideChromium } from './chromium.ts';
import { provideBundledDependencies } from './dependencies/provideBundledDependencies.ts';
import { provideNonChromiumBrowsers } from './nonChromiumBrowsers.ts';
import { lockInstance } from './instanceLock.ts';
import type { Interruption } from './interruption.ts';
import { runJest, type JestRun, type TestProgramPaths } from './jestRun.ts';
import { provideMediaWorker } from './mediaWorker/provideMediaWorker.ts';
import type { LauncherOptions } from './launcherOptions.ts';
import { projectRoot } from './paths.ts';
import { createConsoleProgress, type Progress } from './progress.ts';
import { CommandError, describeFailure } from './commandError.ts';
import { provideS3Servers } from './s3Servers.ts';
import { provideTestPrograms } from './testPrograms.ts';
import { startTestBackingServices, type TestRunBackingServices } from './testBackends.ts';
import {
  countAfterRetry,
  renderTestSummary,
  createEmptyCounts,
  shortenFailureMessage,
  type TestCounts,
} from './testCounts.ts';
import { buildWeb } from './webBuild.ts';

interface Stage {
  name: string;
  /** Projects in jest.config.mjs, if not the one of the same name. */
  projects?: readonly string[];
  /** Minutes after which it is ended: two to three times its duration on two idle processors. */
  minutes: number;
  /** Number of files run in parallel, if not the two of jest.config.mjs. */
  workers?: number;
  /** Stage to merge with if both are requested, and the number of additional parallel files. */
  joins?: { stage: string; more: number };
  needs: { backing: boolean; web: boolean; browser: boolean; media: boolean; tools?: boolean; engines?: boolean };
}

/** Number of workers in jest.config.mjs. */
const defaultWorkers = 2;

/**
 * Stages in order: fast and narrow ones first. All of them take more than twice as long on a processor of half the
 * speed.
 */
const stages: readonly Stage[] = [
  { name: 'unit', minutes: 6, needs: { backing: false, web: false, browser: false, media: false } },
  {
    name: 'integration',
    projects: ['integration', 'together'],
    minutes: 20,
    // Half of the time is spent waiting for a store or for a service to start.
    workers: 4,
    needs: { backing: true, web: false, browser: false, media: true, tools: true },
  },
  {
    name: 'journeys',
    minutes: 40,
    // Tests wait for each other and for pictures more than they work: three at a time took no longer each than two.
    workers: 3,
    needs: { backing: true, web: true, browser: true, media: true, tools: true },
  },
  {
    name: 'engines',
    minutes: 12,
    // A browser that starts cold and renders in software needs a whole processor.
    workers: 1,
    // The two stages use the same Nolo.
    joins: { stage: 'journeys', more: 0 },
    needs: { backing: true, web: true, browser: false, media: true, engines: true },
  },
  {
    name: 'faults',
    minutes: 9,
    // Most of the time is spent waiting until a removed component is missed and found again.
    workers: 3,
    // The other stage uses the processor during these waits.
    joins: { stage: 'integration', more: 1 },
    needs: { backing: true, web: false, browser: false, media: true },
  },
];

interface Wanted {
  stages: Stage[];
  jestArguments: string[];
  minutes: number | undefined;
}

const usage = `npm test                                   all stages: ${stages.map(({ name }) => name).join(', ')}
npm test -- journeys                       one of them, or several
npm test -- integration --pattern chat     the files with "chat" in their path
npm test -- journeys -t "signs up"         the tests with "signs up" in their name
npm test -- faults --minutes 20            each stage stops after 20 minutes
Other options are passed to jest.
`;

/** Runs `npm test`: the setup, the stages, and one line with the counts. Returns the exit code. */
export async function runTests(options: LauncherOptions, interruption: Interruption): Promise<number> {
  if (options.words.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(usage);
    return 0;
  }
  const wanted = readWords(options.words);
  const progress = createConsoleProgress(process.stdout);
  const home = process.env['NOLO_HOME'] ? options.home : join(options.home, 'test');
  const unlock = lockInstance(home, 'another npm test');
  const logs = openChildLogs(home, (line) => process.stdout.write(`${line}\n`));
  const total = createEmptyCounts();
  let starting: Promise<TestRunBackingServices> | undefined;
  try {
    if (wanted.stages.some((stage) => stage.needs.backing)) {
      // Every run begins with empty stores, whatever the last one left.
      deleteBackingData(home);
      // The stores start in parallel with the stages that do not need them.
      starting = startTestBackingServices({ home, logs, progress, onNotice: progress.warn }, process.env);
      starting.catch(() => undefined);
    }
    const dependencies = await provideBundledDependencies(progress, logs.of('dependencies', noLogPattern));
    for (const stage of wanted.stages) {
      if (interruption.requested) break;
      const backing = stage.needs.backing ? await starting : undefined;
      const counts = await runStage(stage, wanted, { home, backing, dependencies, options, progress, logs });
      total.passed += counts.passed;
      total.failed += counts.failed;
      total.skipped += counts.skipped;
      total.broken.push(...counts.broken);
      total.flaky.push(...counts.flaky);
    }
  } catch (error) {
    if (interruption.requested) return await interruption.happened;
    // The setup failed, and with it all remaining stages.
    process.stderr.write(`\n${describeFailure(error)}\n`);
    total.failed += 1;
    total.broken.push({ name: 'the set-up', reason: shortenFailureMessage(describeFailure(error)) });
  } finally {
    logs.mute();
    const backing = await starting?.catch(() => undefined);
    await backing?.stop();
    await interruption.cleanUp();
    // Data of a run as root is stored outside of this folder and would remain.
    if (backing !== undefined) deleteBackingData(home);
    logs.close();
    unlock();
  }
  if (interruption.requested) return await interruption.happened;
  process.stdout.write(renderTestSummary(total));
  return total.failed > 0 ? 1 : 0;
}

/** Parses stage names, followed by jest's arguments: `unit integration --pattern chat -t "sends"`. */
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
        throw new CommandError(
          `Unknown test stage "${word}". The stages are ${stages.map(({ name }) => name).join(', ')}. Pass part of a file name after --pattern.`,
        );
      }
      named.push(stage);
    }
  }
  if (minutes !== undefined && !(minutes > 0)) {
    throw new CommandError('--minutes must be the number of minutes that a stage may take.');
  }
  return {
    stages: joined(stages.filter((stage) => named.length === 0 || named.includes(stage))),
    jestArguments,
    minutes,
  };
}

/** Merges stages that would otherwise leave a processor idle. */
function joined(wanted: readonly Stage[]): Stage[] {
  return wanted
    .filter(({ joins }) => !wanted.some(({ name }) => name === joins?.stage))
    .map((stage) =>
      wanted
        .filter(({ joins }) => joins?.stage === stage.name)
        .reduce((one, other) => {
          const projects = [...(one.projects ?? [one.name]), ...(other.projects ?? [other.name])];
          // A need that is false must not override the other stage's.
          const needs = { ...other.needs };
          for (const [what, needed] of Object.entries(one.needs)) {
            if (needed) needs[what as keyof Stage['needs']] = true;
          }
          const workers = (one.workers ?? defaultWorkers) + (other.joins?.more ?? 0);
          return { ...one, projects, needs, workers, minutes: one.minutes + other.minutes };
        }, stage),
    );
}

interface StageContext {
  home: string;
  backing: TestRunBackingServices | undefined;
  dependencies: string | undefined;
  options: LauncherOptions;
  progress: Progress;
  logs: ReturnType<typeof openChildLogs>;
}

async function runStage(stage: Stage, wanted: Wanted, context: StageContext): Promise<TestCounts> {
  process.stdout.write(`\n── ${(stage.projects ?? [stage.name]).join(', ')} ──\n`);
  try {
    if (stage.needs.web) await buildWeb(context.progress, context.logs.of('web', noLogPattern));
    const { options, progress } = context;
    const browser = stage.needs.browser ? await provideChromium(options, progress) : undefined;
    const engines = stage.needs.engines === true ? await provideNonChromiumBrowsers(options, progress) : undefined;
    const mediaWorker = stage.needs.media ? await provideWorker(context.progress) : undefined;
    if (stage.needs.tools === true) await provideS3Servers(context.progress);
    const tools = stage.needs.tools === true ? await provideTestPrograms(context.progress) : undefined;
    return await runTwice(stage, wanted, context, { chromium: browser, engines, mediaWorker, tools });
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    const broken = [{ name: `the stage ${stage.name}`, reason: shortenFailureMessage(describeFailure(error)) }];
    return { ...createEmptyCounts(), failed: 1, broken };
  }
}

/** Maximum number of failed files for a retry; more are not a coincidence. */
const maxRetriedFiles = 10;

/**
 * Runs a stage and retries its failures once, alone. A machine that paused for seconds is not a defect of the code, and
 * a real defect fails again. Tests that pass only on the retry are counted separately and named, so that they get
 * fixed.
 */
async function runTwice(
  stage: Stage,
  wanted: Wanted,
  context: StageContext,
  programs: TestProgramPaths,
): Promise<TestCounts> {
  const { jestArguments, minutes = stage.minutes } = wanted;
  const run: JestRun = { projects: [stage.name], ...stage, minutes, jestArguments };
  const surroundings = { ...context, programs };
  const first = await runJest(run, surroundings);
  const files = first.failedFiles;
  const whole = jestArguments.length === 0;
  if (!whole || first.failed === 0 || files.length === 0 || files.length > maxRetriedFiles) {
    return { ...first, broken: first.failedTests, flaky: [] };
  }
  process.stdout.write(`\nOnce more, alone: ${files.map((file) => relative(projectRoot, file)).join(', ')}\n`);
  const retryOutcome = await runJest(
    { ...run, jestArguments: ['--runInBand', '--runTestsByPath', ...files] },
    surroundings,
  );
  return countAfterRetry(first, retryOutcome);
}

/** Provides the worker before the stage starts: its one-time build does not count against the stage's time limit. */
async function provideWorker(progress: Progress): Promise<string> {
  const { binary } = await progress.step(
    'Media worker',
    async () => await provideMediaWorker({ progress }),
    ({ origin }) => origin,
  );
  return binary;
}
