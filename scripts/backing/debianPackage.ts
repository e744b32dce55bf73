import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, findProgram } from '../paths.ts';
import type { Progress } from '../progress.ts';
import { Refusal } from '../refusal.ts';
import { runCommand, tailOf } from '../runCommand.ts';

/** A program and what its process needs to find its libraries. */
export interface BroughtProgram {
  command: string;
  env: Record<string, string>;
}

export interface DebianProgram {
  /** For sentences: "Redis". */
  title: string;
  /** Name of the folder in the cache. */
  name: string;
  packages: string[];
  /** Path of the program inside the packages. */
  program: string;
}

/** What a person can do when the packages cannot be had. */
function wayOut(wanted: DebianProgram): string {
  return `install ${wanted.packages[0]} with your package manager, or give the address of a running ${wanted.title} in ${wanted.title.toUpperCase()}_URL`;
}

/** Where a program that was brought is, if it was: without any download. */
export function broughtProgram(wanted: DebianProgram): BroughtProgram | undefined {
  const folder = folderOf(wanted);
  return existsSync(join(folder, wanted.program)) ? programIn(folder, wanted) : undefined;
}

/**
 * Brings a program from the distribution's packages into the cache folder: they are downloaded and
 * unpacked, not installed, so this needs no root and changes nothing on the system.
 */
export async function bringDebianProgram(wanted: DebianProgram, progress: Progress): Promise<BroughtProgram> {
  const known = broughtProgram(wanted);
  if (known !== undefined && (await works(known))) return known;

  for (const tool of ['apt-get', 'dpkg']) {
    if (findProgram(tool) === undefined) {
      throw new Refusal(
        `${wanted.title} is not on this machine and cannot be brought, for there is no ${tool} here: ${wayOut(wanted)}.`,
      );
    }
  }
  const target = folderOf(wanted);
  mkdirSync(join(target, '..'), { recursive: true });
  const folder = mkdtempSync(`${target}.`);
  try {
    progress.say(
      `Bringing ${wanted.title}: downloading ${wanted.packages.join(', ')} (unpacked into ${target}, nothing is installed).`,
    );
    for (const name of wanted.packages) await fetchPackage([name], folder, wanted);
    await completeLibraries(folder, wanted, progress);
    const program = programIn(folder, wanted);
    if (!(await works(program))) {
      const { output } = await runCommand(program.command, ['--version'], { env: program.env });
      throw new Refusal(`${wanted.title} was downloaded but does not run here (${tailOf(output)}): ${wayOut(wanted)}.`);
    }
    // Another start may have been faster; what it brought works as well as this.
    if (existsSync(target)) rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return programIn(target, wanted);
}

function folderOf(wanted: DebianProgram): string {
  let release = 'linux';
  try {
    const text = readFileSync('/etc/os-release', 'utf8');
    const id = /^ID="?([^"\n]+)"?$/m.exec(text)?.[1];
    const version = /^VERSION_ID="?([^"\n]+)"?$/m.exec(text)?.[1];
    release = [id, version].filter((part) => part !== undefined).join('');
  } catch {
    // The name of the folder is all that this is for.
  }
  return join(cacheFolder(), 'debian', `${release}-${arch()}`, wanted.name);
}

function programIn(folder: string, wanted: DebianProgram): BroughtProgram {
  const libraries: string[] = [];
  for (const base of ['usr/lib', 'lib']) {
    const path = join(folder, base);
    if (!existsSync(path)) continue;
    libraries.push(path);
    for (const entry of readdirSync(path)) {
      if (entry.includes('-linux-gnu')) libraries.push(join(path, entry));
    }
  }
  return {
    command: join(folder, wanted.program),
    env: libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(':') } : {},
  };
}

async function works(program: BroughtProgram): Promise<boolean> {
  const { code } = await runCommand(program.command, ['--version'], { env: program.env });
  return code === 0;
}

/**
 * Finds the libraries that the program lacks and brings them too. Debian names a library's package
 * after its soname (libjemalloc.so.2 is in libjemalloc2); some carry "t64" at the end since 2024.
 */
async function completeLibraries(folder: string, wanted: DebianProgram, progress: Progress): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    const program = programIn(folder, wanted);
    const { output } = await runCommand('ldd', [program.command], {
      env: { ...program.env, PATH: process.env['PATH'], LC_ALL: 'C' },
    });
    const missing = [...output.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
    if (missing.length === 0) return;
    for (const soname of new Set(missing)) {
      const name = packageOf(soname);
      progress.say(`Bringing ${name}, a library that ${wanted.title} needs.`);
      await fetchPackage([name, `${name}t64`], folder, wanted);
    }
  }
}

/** The package that Debian's naming rule gives for a shared library. */
export function packageOf(soname: string): string {
  const match = /^(.+)\.so(?:\.(.+))?$/.exec(soname);
  const stem = (match?.[1] ?? soname).toLowerCase().replaceAll('_', '-');
  const version = match?.[2] ?? '';
  return /\d$/.test(stem) && version !== '' ? `${stem}-${version}` : `${stem}${version}`;
}

/** Downloads the first of the named packages that exists, and unpacks it. */
async function fetchPackage(names: string[], folder: string, wanted: DebianProgram): Promise<void> {
  const download = mkdtempSync(join(folder, 'download.'));
  let said = '';
  const plain: string[] = [];
  // First with the package lists of the machine. Where it has none, or they are so old that they
  // name packages which the mirror has replaced, with lists of our own.
  for (const lists of [plain, privateLists()]) {
    if (lists.length > 0) {
      await runCommand('apt-get', ['-q', ...lists, 'update'], { env: aptEnv(), timeoutMs: 180_000 });
    }
    for (const name of names) {
      const args = ['-q', ...lists, ...aptSettings, 'download', name];
      const result = await runCommand('apt-get', args, {
        cwd: download,
        env: aptEnv(),
        timeoutMs: 180_000,
      });
      said = result.output;
      const file = readdirSync(download).find((entry) => entry.endsWith('.deb'));
      if (result.code !== 0 || file === undefined) continue;
      const unpacked = await runCommand('dpkg', ['-x', join(download, file), folder]);
      if (unpacked.code !== 0) {
        throw new Refusal(`The package ${name} could not be unpacked (${tailOf(unpacked.output)}).`);
      }
      rmSync(download, { recursive: true, force: true });
      return;
    }
  }
  const problem = said.split('\n').find((line) => line.startsWith('E:')) ?? tailOf(said, 1);
  throw new Refusal(
    `${wanted.title} is not on this machine and its package ${names[0]} could not be downloaded (${problem}): check the network, ${wayOut(wanted)}.`,
  );
}

const aptSettings = [
  '-o',
  'APT::Sandbox::User=root',
  '-o',
  'Acquire::Retries=2',
  '-o',
  'Acquire::http::Timeout=20',
  '-o',
  'Acquire::https::Timeout=20',
];

function privateLists(): string[] {
  const folder = join(cacheFolder(), 'apt');
  mkdirSync(join(folder, 'lists/partial'), { recursive: true });
  mkdirSync(join(folder, 'cache/archives/partial'), { recursive: true });
  return [
    '-o',
    `Dir::State::lists=${join(folder, 'lists')}`,
    '-o',
    `Dir::Cache=${join(folder, 'cache')}`,
    ...aptSettings,
  ];
}

function aptEnv(): Record<string, string | undefined> {
  return { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
}
