import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fetchDebianProgram, type FetchedProgram, type DebianProgram } from './backing/debianProgram.ts';
import { findProgram } from './paths.ts';
import type { Progress } from './progress.ts';
import { CommandError } from './commandError.ts';

/**
 * Programs that the tests need to synthesize and recognize speech and to create videos and pictures. Each is run by its
 * path.
 */
export interface TestPrograms {
  espeak: string;
  /**
   * Prints the words it recognizes in the file after `-infile` (16,000 samples per second), using the grammar after
   * `-jsgf`.
   */
  pocketsphinx: string;
  ffmpeg: string;
  /** ImageMagick, called as its `convert`. */
  imagemagick: string;
}

export interface TestProgram extends DebianProgram {
  /** Returns the settings of a fetched program, given the folder it was unpacked into. */
  settings: (folder: string) => { env?: Record<string, string>; args?: string[] };
}

/** Folder name that Debian uses for libraries of this machine's architecture. */
const libraryName = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';

const wayOut = (name: string) => `install ${name} with your package manager; only tests need it`;

/**
 * Returns the paths of ImageMagick's readers, writers and policy; an installed ImageMagick knows them. So does an
 * installed library without the program; then only the program was fetched.
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

/** Returns the arguments for the English acoustic model and dictionary; an installed program knows them. */
function pocketsphinxModel(folder: string): string[] {
  const model = join(folder, 'usr/share/pocketsphinx/model/en-us');
  return ['-hmm', join(model, 'en-us'), '-dict', join(model, 'cmudict-en-us.dict')];
}

const wanted: Readonly<Record<keyof TestPrograms, TestProgram>> = {
  espeak: {
    title: 'eSpeak NG',
    name: 'espeak-ng',
    packages: ['espeak-ng', 'espeak-ng-data'],
    // Libraries of sound servers have differently named packages on machines that lack them.
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
    // The program has no version option, and exits successfully only after processing a file to its end.
    check: (folder) => [...pocketsphinxModel(folder), '-infile', '/dev/null'],
    wayOut: wayOut('pocketsphinx'),
    settings: (folder) => ({ args: pocketsphinxModel(folder) }),
  },
  ffmpeg: {
    title: 'FFmpeg',
    name: 'ffmpeg',
    packages: ['ffmpeg'],
    // ffmpeg needs about eighty libraries, many in differently named packages.
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
    // Readers and writers are loaded on demand, so the loader does not report their missing libraries beforehand.
    withDependencies: true,
    program: 'usr/bin/convert-im6.q16',
    check: () => ['-version'],
    wayOut: wayOut('imagemagick'),
    settings: (folder) => ({ env: imagemagickFolders(folder) }),
  },
};

/**
 * Finds the programs on the machine, and fetches missing ones into the cache folder. Unavailable programs are reported
 * and omitted: only the few tests that need them fail.
 */
export async function provideTestPrograms(progress: Progress): Promise<Partial<TestPrograms>> {
  const found: Partial<TestPrograms> = {};
  // Runs sequentially: two at once would wait for each other's lock of the package lists.
  for (const name of Object.keys(wanted) as (keyof TestPrograms)[]) {
    const path = await provideTestProgram(wanted[name], progress);
    if (path !== undefined) found[name] = path;
  }
  return found;
}

/** Returns the path of one program, or reports that it is unavailable and returns undefined. */
export async function provideTestProgram(one: TestProgram, progress: Progress): Promise<string | undefined> {
  const installed = findProgram(one.program.split('/').at(-1) ?? one.name);
  if (installed !== undefined) return installed;
  try {
    return writeScript(one, await fetchDebianProgram(one, progress));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    progress.warn(error.message);
    return undefined;
  }
}

/** Writes a script next to the fetched program that sets its paths, so that it can be run like an installed one. */
function writeScript(one: TestProgram, { command, env }: FetchedProgram): string {
  const folder = command.slice(0, -one.program.length - 1);
  const { env: more = {}, args = [] } = one.settings(folder);
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const variables = Object.entries({ ...env, ...more }).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  const path = join(dirname(command), `${one.name}.sh`);
  const script = `#!/bin/sh\n${variables.join('')}exec ${[command, ...args].map(quoted).join(' ')} "$@"\n`;
  // The script is replaced atomically because another run may be starting it right now.
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, script, { mode: 0o755 });
  renameSync(draft, path);
  return path;
}
