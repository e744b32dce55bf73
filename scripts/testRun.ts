import { join, relative } from 'node:path';
import { forgetBacking } from './backing.ts';
import { openChildLogs, quiet } from './childLog.ts';
import { provideChromium } from './chromium.ts';
import { provideDependencies } from './dependencies/provideDependencies.ts';
import { provideEngines } from './engines.ts';
import { lockInstance } from './instanceLock.ts';
import type { Interruption } from './interruption.ts';
import { runJest, type JestRun, type Programs } from './jestRun.ts';
import { provideMediaWorker } from './mediaWorker/provideMediaWorker.ts';
import type { Options } from './options.ts';
import { projectRoot } from './paths.ts';
import { consoleProgress, type Progress } from './progress.ts';
import { Refusal, sentenceOf } from './refusal.ts';
import { provideS3Servers } from './s3Servers.ts';
import { provideTestPrograms } from './testPrograms.ts';
import { startTestBacking, type RunBacking } from './testBackends.ts';
import { afterSecondTry, closingLines, noCounts, reasonOf, type Counts } from './testCounts.ts';
import { buildWeb } from './webBuild.ts';

interface Stage {
  name: string;
  /** Of jest.config.mjs, where it is not the one of the same name. */
  projects?: readonly string[];
  /** After which it is ended: two to three times what it takes on two quiet processors. */
  minutes: number;
  /** Files at once, where it is not the two of jest.config.mjs. */
  workers?: number;
  /** The stage with which it runs as one where both are wanted, and so many files more at once then. */
  joins?: { stage: string; more: number };
  needs: { backing: boolean; web: boolean; browser: boolean; media: boolean; tools?: boolean; engines?: boolean };
}

/** Those of jest.config.mjs. */
const usualWorkers = 2;

/** In this order: what is fast and narrow first. A processor of half the speed needs more than twice as long for all of it. */
const stages: readonly Stage[] = [
  { name: 'unit', minutes: 4, needs: { backing: false, web: false, browser: false, media: false } },
  {
    name: 'integration',
    projects: ['integration', 'together'],
    minutes: 20,
    // Half of the time they wait for a store, or for a service to come up.
    workers: 4,
    needs: { backing: true, web: false, browser: false, media: true, tools: true },
  },
  {
    name: 'journeys',
    minutes: 40,
    // They wait for each other, and for a picture, more than they work: three at a time took no longer each than two.
    workers: 3,
    needs: { backing: true, web: true, browser: true, media: true, tools: true },
  },
  {
    name: 'engines',
    minutes: 12,
    // A browser that starts cold, and draws in software, takes a processor.
    workers: 1,
    // They use the same Nolo.
    joins: { stage: 'journeys', more: 0 },
    needs: { backing: true, web: true, browser: false, media: true, engines: true },
  },
  {
    name: 'faults',
    minutes: 9,
    // For what was taken away to be missed, and to be found again.
    workers: 3,
    // While it waits for that, the others work.
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
npm test -- faults --minutes 20            ended after 20 minutes
What else begins with a dash is for jest.
`;

/** `npm test`: its own set-up, the stages, and one line with the counts. Answers with the exit code. */
export async function runTests(options: Options, interruption: Interruption): Promise<number> {
  if (options.words.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(usage);
    return 0;
  }
  const wanted = readWords(options.words);
  const progress = consoleProgress(process.stdout);
  const home = process.env['NOLO_HOME'] ? options.home : join(options.home, 'test');
  const unlock = lockInstance(home, 'another npm test');
  const logs = openChildLogs(home, (line) => process.stdout.write(`${line}\n`));
  const total = noCounts();
  let starting: Promise<RunBacking> | undefined;
  try {
    if (wanted.stages.some((stage) => stage.needs.backing)) {
      // Every run begins with empty stores, whatever the last one left.
      forgetBacking(home);
      // They come up beside the stages that need none.
      starting = startTestBacking({ home, logs, progress, onNotice: progress.warn }, process.env);
      starting.catch(() => undefined);
    }
    const dependencies = await provideDependencies(progress, logs.of('dependencies', quiet));
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
    // The set-up failed, and with it everything that would have come after.
    process.stderr.write(`\n${sentenceOf(error)}\n`);
    total.failed += 1;
    total.broken.push({ name: 'the set-up', reason: reasonOf(sentenceOf(error)) });
  } finally {
    logs.mute();
    const backing = await starting?.catch(() => undefined);
    await backing?.stop();
    await interruption.cleanUp();
    // Under root the data lies outside of this folder, where it would outlive it.
    if (backing !== undefined) forgetBacking(home);
    logs.close();
    unlock();
  }
  if (interruption.requested) return await interruption.happened;
  process.stdout.write(closingLines(total));
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
    stages: joined(stages.filter((stage) => named.length === 0 || named.includes(stage))),
    jestArguments,
    minutes,
  };
}

/** A stage of its own would leave a processor idle that the other one could use. */
function joined(wanted: readonly Stage[]): Stage[] {
  return wanted
    .filter(({ joins }) => !wanted.some(({ name }) => name === joins?.stage))
    .map((stage) =>
      wanted
        .filter(({ joins }) => joins?.stage === stage.name)
        .reduce((one, other) => {
          const projects = [...(one.projects ?? [one.name]), ...(other.projects ?? [other.name])];
          // What it does not need says nothing of what the other one does.
          const needs = { ...other.needs };
          for (const [what, needed] of Object.entries(one.needs)) {
            if (needed) needs[what as keyof Stage['needs']] = true;
          }
          const workers = (one.workers ?? usualWorkers) + (other.joins?.more ?? 0);
          return { ...one, projects, needs, workers, minutes: one.minutes + other.minutes };
        }, stage),
    );
}

interface StageContext {
  home: string;
  backing: RunBacking | undefined;
  dependencies: string | undefined;
  options: Options;
  progress: Progress;
  logs: ReturnType<typeof openChildLogs>;
}

async function runStage(stage: Stage, wanted: Wanted, context: StageContext): Promise<Counts> {
  process.stdout.write(`\n── ${(stage.projects ?? [stage.name]).join(', ')} ──\n`);
  try {
    if (stage.needs.web) await buildWeb(context.progress, context.logs.of('web', quiet));
    const { options, progress } = context;
    const browser = stage.needs.browser ? await provideChromium(options, progress) : undefined;
    const engines = stage.needs.engines === true ? await provideEngines(options, progress) : undefined;
    const mediaWorker = stage.needs.media ? await provideWorker(context.progress) : undefined;
    if (stage.needs.tools === true) await provideS3Servers(context.progress);
    const tools = stage.needs.tools === true ? await provideTestPrograms(context.progress) : undefined;
    return await runTwice(stage, wanted, context, { chromium: browser, engines, mediaWorker, tools });
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    const broken = [{ name: `the stage ${stage.name}`, reason: reasonOf(sentenceOf(error)) }];
    return { ...noCounts(), failed: 1, broken };
  }
}

/** More failed files than this are no accident. */
const mostTriedAgain = 10;

/**
 * What failed in a whole run is tried once more, alone: a machine that stood still for seconds is no fault of the code,
 * and a fault of the code fails again. What passes only then is counted apart and named, so that somebody mends it.
 */
async function runTwice(stage: Stage, wanted: Wanted, context: StageContext, programs: Programs): Promise<Counts> {
  const { jestArguments, minutes = stage.minutes } = wanted;
  const run: JestRun = { projects: [stage.name], ...stage, minutes, jestArguments };
  const surroundings = { ...context, programs };
  const first = await runJest(run, surroundings);
  const files = first.failedFiles;
  const whole = jestArguments.length === 0;
  if (!whole || first.failed === 0 || files.length === 0 || files.length > mostTriedAgain) {
    return { ...first, broken: first.failedTests, flaky: [] };
  }
  process.stdout.write(`\nOnce more, alone: ${files.map((file) => relative(projectRoot, file)).join(', ')}\n`);
  const again = await runJest({ ...run, jestArguments: ['--runInBand', '--runTestsByPath', ...files] }, surroundings);
  return afterSecondTry(first, again);
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
