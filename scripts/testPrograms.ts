import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bringDebianProgram, type BroughtProgram, type DebianProgram } from './backing/debianPackage.ts';
import { findProgram } from './paths.ts';
import type { Progress } from './progress.ts';
import { Refusal } from './refusal.ts';

/**
 * Programs that speak, that listen, and that make videos and pictures: what the tests are run with. Each is run as it is, by
 * its path.
 */
export interface TestPrograms {
  espeak: string;
  /** Prints what it hears of the file after `-infile`, which has 16,000 samples a second, by the grammar after `-jsgf`. */
  pocketsphinx: string;
  ffmpeg: string;
  /** ImageMagick, as its `convert` is called. */
  imagemagick: string;
}

export interface TestProgram extends DebianProgram {
  /** What it has to be told where it was brought, given the folder that it was unpacked into. */
  settings: (folder: string) => { env?: Record<string, string>; args?: string[] };
}

/** Where Debian puts the libraries of this machine's architecture. */
const libraryName = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';

const wayOut = (name: string) => `install ${name} with your package manager; only tests need it`;

/**
 * ImageMagick's readers and writers, and what it may do: an installed one knows where they are. So does the library where
 * the machine has that alone, for another program; then only the program was brought.
 */
function imagemagickFolders(folder: string): Record<string, string> {
  const libraries = join(folder, 'usr/lib', libraryName);
  if (!existsSync(libraries)) return {};
  const own = readdirSync(libraries).find((name) => name.startsWith('ImageMagick-'));
  if (own === undefined) return {};
  const modules = readdirSync(join(libraries, own)).find((name) => name.startsWith('modules-')) ?? '';
  return {
    MAGICK_CODER_MODULE_PATH: join(libraries, own, modules, 'coders'),
    MAGICK_CODER_FILTER_PATH: join(libraries, own, modules, 'filters'),
    MAGICK_CONFIGURE_PATH: join(folder, 'etc/ImageMagick-6'),
  };
}

/** The sounds and words of English; an installed one knows where they are. */
function pocketsphinxModel(folder: string): string[] {
  const model = join(folder, 'usr/share/pocketsphinx/model/en-us');
  return ['-hmm', join(model, 'en-us'), '-dict', join(model, 'cmudict-en-us.dict')];
}

const wanted: Readonly<Record<keyof TestPrograms, TestProgram>> = {
  espeak: {
    title: 'eSpeak NG',
    name: 'espeak-ng',
    packages: ['espeak-ng', 'espeak-ng-data'],
    // Sound servers' libraries lie in packages of other names, on machines that have none of them yet.
    withDependencies: true,
    program: 'usr/bin/espeak-ng',
    wayOut: wayOut('espeak-ng'),
    settings: (folder) => ({ env: { ESPEAK_DATA_PATH: join(folder, 'usr/lib', libraryName) } }),
  },
  pocketsphinx: {
    title: 'PocketSphinx',
    name: 'pocketsphinx',
    packages: ['pocketsphinx', 'pocketsphinx-en-us', 'libpocketsphinx3', 'libsphinxbase3'],
    withDependencies: true,
    program: 'usr/bin/pocketsphinx_continuous',
    // It has no version to tell, and ends well only once it has heard something to its end.
    check: (folder) => [...pocketsphinxModel(folder), '-infile', '/dev/null'],
    wayOut: wayOut('pocketsphinx'),
    settings: (folder) => ({ args: pocketsphinxModel(folder) }),
  },
  ffmpeg: {
    title: 'FFmpeg',
    name: 'ffmpeg',
    packages: ['ffmpeg'],
    // Some eighty libraries, many in packages of another name.
    withDependencies: true,
    program: 'usr/bin/ffmpeg',
    check: () => ['-version'],
    wayOut: wayOut('ffmpeg'),
    settings: () => ({}),
  },
  imagemagick: {
    title: 'ImageMagick',
    name: 'imagemagick',
    packages: ['imagemagick-6.q16'],
    // Its readers and writers are loaded when they are needed, so that no loader misses their libraries before.
    withDependencies: true,
    program: 'usr/bin/convert-im6.q16',
    check: () => ['-version'],
    wayOut: wayOut('imagemagick'),
    settings: (folder) => ({ env: imagemagickFolders(folder) }),
  },
};

/**
 * Finds the programs on the machine, and brings those that it lacks into the cache folder. Those that cannot be had are
 * left out with a word: only the few tests that need them fail.
 */
export async function provideTestPrograms(progress: Progress): Promise<Partial<TestPrograms>> {
  const found: Partial<TestPrograms> = {};
  // One after the other, for two at once would wait for each other's lock of the package lists.
  for (const name of Object.keys(wanted) as (keyof TestPrograms)[]) {
    const path = await provideTestProgram(wanted[name], progress);
    if (path !== undefined) found[name] = path;
  }
  return found;
}

/** Path of one program, or nothing, with a word, where it cannot be had. */
export async function provideTestProgram(one: TestProgram, progress: Progress): Promise<string | undefined> {
  const installed = findProgram(one.program.split('/').at(-1) ?? one.name);
  if (installed !== undefined) return installed;
  try {
    return writeScript(one, await bringDebianProgram(one, progress));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    progress.warn(error.message);
    return undefined;
  }
}

/** A script beside the brought program that tells it where its things are, so that it is run like an installed one. */
function writeScript(one: TestProgram, { command, env }: BroughtProgram): string {
  const folder = command.slice(0, -one.program.length - 1);
  const { env: more = {}, args = [] } = one.settings(folder);
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const variables = Object.entries({ ...env, ...more }).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  const path = join(dirname(command), `${one.name}.sh`);
  const script = `#!/bin/sh\n${variables.join('')}exec ${[command, ...args].map(quoted).join(' ')} "$@"\n`;
  // Another run may be starting it right now, so it never stands there half written.
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, script, { mode: 0o755 });
  renameSync(draft, path);
  return path;
}
