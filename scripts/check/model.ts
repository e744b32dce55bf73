import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCacheFolder, projectRoot } from '../paths.ts';
import { lastOutputLines } from '../runCommand.ts';
import { provideAlloy, type Alloy } from './alloy.ts';

/** Command of a model: `name: run { … } for 4 expect 1`, or `check`. */
export interface ModelCommand {
  name: string;
  kind: 'run' | 'check';
  /** True if an instance should exist, which for a check is a counterexample. */
  expectsInstance: boolean | undefined;
  /** Rules that the command turns off. */
  off: string[];
}

/** Results of the commands, as Alloy writes them. */
interface Receipt {
  commands: Record<string, { solution?: unknown[] }>;
}

/** Returns the commands of a model, which stand at its end. */
export function readCommands(text: string): ModelCommand[] {
  const starts = [...text.matchAll(/^(\w+): (run|check)\b/gm)];
  return starts.map((start, index) => {
    const body = text.slice(start.index, starts[index + 1]?.index ?? text.length);
    const expected = /\bexpect ([01])\b/.exec(body)?.[1];
    const off = /\bOff = ([\w +]+?) implies\b/.exec(body)?.[1];
    return {
      name: start[1] ?? '',
      kind: start[2] === 'run' ? 'run' : 'check',
      expectsInstance: expected === undefined ? undefined : expected === '1',
      off: off === undefined ? [] : off.split('+').map((rule) => rule.trim()),
    };
  });
}

/** Finds commands that say nothing, and rules that no check misses when they are turned off. */
export function findModelGaps(text: string): string[] {
  const commands = readCommands(text);
  const rules = (/^one sig ([\w\s,]+?)\s+extends Rule\b/m.exec(text)?.[1] ?? '')
    .split(',')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '');
  const fails = commands.filter(({ kind, expectsInstance }) => kind === 'check' && expectsInstance);
  return [
    ...commands
      .filter(({ expectsInstance }) => expectsInstance === undefined)
      .map(({ name }) => `${name} lacks “expect 0” or “expect 1”.`),
    ...(commands.some(({ kind, expectsInstance }) => kind === 'run' && expectsInstance)
      ? []
      : ['no run has “expect 1”, so the model may describe nothing.']),
    ...rules
      .filter((rule) => !fails.some(({ off }) => off.length === 1 && off[0] === rule))
      .map((rule) => `no check with “expect 1” turns off ${rule}, so nothing shows that it is needed.`),
  ];
}

/** Compares what Alloy found with what a model expects. */
export function findWrongResults(commands: readonly ModelCommand[], { commands: results }: Receipt): string[] {
  return commands.flatMap(({ name, kind, expectsInstance }) => {
    const result = results[name];
    if (result === undefined) return [`${name} did not run.`];
    const hasInstance = (result.solution ?? []).length > 0;
    if (hasInstance === expectsInstance) return [];
    if (kind === 'run') return [`${name} has ${hasInstance ? 'an' : 'no'} instance.`];
    return [hasInstance ? `${name} has a counterexample.` : `${name} has no counterexample, although a rule is off.`];
  });
}

/**
 * Checks the models of the encryption paper with Alloy. A model that passed is not checked again until it changes.
 * Without Java, or if Alloy cannot be downloaded, it prints why it skips them.
 */
export async function findModelProblems(folder: string = join(projectRoot, 'tests/model')): Promise<string[]> {
  const models = (await readdir(folder)).filter((name) => name.endsWith('.als')).sort();
  const texts = await Promise.all(
    models.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })),
  );
  const gaps = texts.flatMap(({ name, text }) => findModelGaps(text).map((gap) => `tests/model/${name}: ${gap}`));
  if (gaps.length > 0) return gaps;
  const alloy = await provideAlloy();
  if ('reason' in alloy) {
    console.log(`       The models of docs/encryption.md are skipped: ${alloy.reason}.`);
    return [];
  }
  const problems: string[] = [];
  for (const { name, text } of texts) {
    const found = await checkModel(alloy, join(folder, name), text);
    problems.push(...found.map((problem) => `tests/model/${name}: ${problem}`));
  }
  return problems;
}

async function checkModel(alloy: Alloy, path: string, text: string): Promise<string[]> {
  const hash = createHash('sha256').update(`${alloy.version}\0${text}`).digest('hex');
  const passed = join(getCacheFolder(), 'alloy', 'passed', hash);
  if (existsSync(passed)) return [];
  const scratch = await mkdtemp(join(tmpdir(), 'nolo-model-'));
  try {
    const { output } = await alloy.execute(path, scratch);
    const receipt = await readFile(join(scratch, 'receipt.json'), 'utf8').catch(() => undefined);
    if (receipt === undefined) return [`Alloy failed: ${firstError(output)}`];
    const problems = findWrongResults(readCommands(text), JSON.parse(receipt) as Receipt);
    if (problems.length > 0) return problems;
    await mkdir(join(getCacheFolder(), 'alloy', 'passed'), { recursive: true });
    await writeFile(passed, '');
    return [];
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Returns the error without the stack of the JVM. */
function firstError(output: string): string {
  const lines = output.split('\n').filter((line) => !/^\s+at /.test(line));
  return lastOutputLines(lines.slice(0, 4).join('\n'), 4) || 'it wrote no receipt';
}
