import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { takeBuildLock } from '../buildLock.ts';
import { systemName } from '../debianPackages.ts';
import { mayLaunch } from '../liveChildren.ts';
import type { Progress } from '../progress.ts';
import { Refusal } from '../refusal.ts';
import { runCommand } from '../runCommand.ts';
import { findCompilers, gatherBuildTools, type BuildTools } from './buildPackages.ts';
import { runNinja, tenthsDone } from './ninjaBuild.ts';
import { worksWithMediasoup } from './workerCheck.ts';
import { builtFolder, builtMark, mediasoupPackage, workerProgram } from './workerPlaces.ts';
import { mesonOptions, nativeFile, prepareSource } from './workerSource.ts';

/**
 * Builds the worker from the source in the npm package into the cache folder, and answers with its path. Of several that
 * want it at once one builds and the others wait; what is in the cache folder under its final name is whole and was tried.
 */
export async function buildWorker(progress: Progress): Promise<string> {
  const compilers = findCompilers();
  if (compilers instanceof Refusal) throw compilers;
  const target = builtFolder();
  const binary = join(target, workerProgram);
  const unlock = await takeBuildLock(`${target}.lock`, () => {
    progress.say('The media worker is being built by another process; waiting for it.');
  });
  try {
    if (existsSync(binary)) return binary;
    forgetUnfinished(target);
    const unfinished = mkdtempSync(`${target}.`);
    try {
      const result = await build(unfinished, target, progress);
      rmSync(target, { recursive: true, force: true });
      renameSync(result, target);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
    return binary;
  } finally {
    unlock();
  }
}

/** A build that was killed with its launcher could not clean up. */
function forgetUnfinished(target: string): void {
  for (const entry of readdirSync(dirname(target), { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name.startsWith(`${basename(target)}.`)) {
      rmSync(join(dirname(target), entry.name), { recursive: true, force: true });
    }
  }
}

/** Answers with a folder that holds the worker and what belongs to it. */
async function build(folder: string, target: string, progress: Progress): Promise<string> {
  const tools = await gatherBuildTools(join(folder, 'prefix'), progress);
  mayLaunch();
  const source = join(folder, 'source');
  const plan = join(folder, 'build');
  prepareSource(source);
  const log = openLog(`${target}.log`);
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: 'C.UTF-8',
    NINJA: tools.ninja,
    ...tools.meson.env,
  };

  await setUp(tools, source, plan, env, log);
  // The sources include headers that flatc makes, and not all of them say so to ninja.
  for (const goal of ['fbs/FBS/message.h', workerProgram]) {
    let said = 0;
    const good = await runNinja({
      ninja: tools.ninja,
      folder: plan,
      target: goal,
      env,
      markFile: `${target}.process`,
      onLine: (line) => {
        log.line(line);
        const tenths = tenthsDone(line) ?? said;
        if (goal === workerProgram && tenths > said)
          progress.say(`Building the media worker: ${String(tenths * 10)} %`);
        said = tenths;
      },
    });
    mayLaunch();
    if (!good) throw log.refusal();
  }

  const result = join(folder, 'result');
  mkdirSync(join(result, tools.companions.length > 0 ? 'lib' : ''), { recursive: true });
  copyFileSync(join(plan, workerProgram), join(result, workerProgram));
  for (const file of tools.companions) copyFileSync(file, join(result, 'lib', basename(file)));
  const description = { mediasoup: mediasoupPackage().version, system: systemName() };
  writeFileSync(join(result, builtMark), `${JSON.stringify(description)}\n`);
  const problem = await worksWithMediasoup(join(result, workerProgram));
  mayLaunch();
  if (problem !== undefined) throw new Refusal(`The media worker was built but does not work here: ${problem}`);
  return result;
}

async function setUp(
  tools: BuildTools,
  source: string,
  plan: string,
  env: Record<string, string>,
  log: BuildLog,
): Promise<void> {
  const native = join(dirname(plan), 'native.ini');
  writeFileSync(native, nativeFile(tools));
  const { code, output } = await runCommand(
    tools.meson.command,
    [...tools.meson.args, 'setup', '--native-file', native, ...mesonOptions, plan, source],
    { env, timeoutMs: 300_000 },
  );
  for (const line of output.split('\n')) log.line(line);
  mayLaunch();
  if (code !== 0) throw log.refusal();
}

interface BuildLog {
  line: (text: string) => void;
  refusal: () => Refusal;
}

function openLog(file: string): BuildLog {
  const last: string[] = [];
  writeFileSync(file, '');
  return {
    line(text) {
      appendFileSync(file, `${text}\n`);
      // The line that links the worker is longer than anybody reads.
      if (text.trim() !== '') last.push(text.length > 300 ? `${text.slice(0, 300)}…` : text);
      if (last.length > 12) last.shift();
    },
    refusal: () =>
      new Refusal(`The media worker could not be built; the last lines of ${file} are:\n${last.join('\n')}`),
  };
}
