import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  missingLibraries,
  packagesOf,
  requirePackageTools,
  systemName,
  takePackageLock,
  unpackPackage,
  unpackWithDependencies,
  type PackageNeed,
} from '../debianPackages.ts';
import { cacheFolder } from '../paths.ts';
import type { Progress } from '../progress.ts';
import { Refusal } from '../refusal.ts';
import { runCommand, tailOf, type CommandResult } from '../runCommand.ts';

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
  /** Whether the package manager says what else is needed; else it is what the loader misses, which brings far less. */
  withDependencies?: boolean;
  /** Path of the program inside the packages. */
  program: string;
  /** What it is asked to see whether it runs, given the folder that it was unpacked into; --version unless set. */
  check?: (folder: string) => string[];
  /** What to do where it cannot be had; the address of a running one is asked for unless set. */
  wayOut?: string;
}

/** What the sentences say when the packages cannot be had. */
function needOf(wanted: DebianProgram): PackageNeed {
  return {
    lack: `${wanted.title} is not on this machine`,
    wayOut:
      wanted.wayOut ??
      `install ${wanted.packages[0]} with your package manager, or give the address of a running ${wanted.title} in ${wanted.title.toUpperCase()}_URL`,
  };
}

/** Where a program that was brought is, if it was: without any download. */
export function broughtProgram(wanted: DebianProgram): BroughtProgram | undefined {
  const folder = folderOf(wanted);
  return existsSync(join(folder, wanted.program)) ? programIn(folder, wanted) : undefined;
}

async function workingProgram(wanted: DebianProgram): Promise<BroughtProgram | undefined> {
  const known = broughtProgram(wanted);
  return known !== undefined && (await tryOut(known, wanted, folderOf(wanted))).code === 0 ? known : undefined;
}

/**
 * Brings a program from the distribution's packages into the cache folder: they are downloaded and
 * unpacked, not installed, so this needs no root and changes nothing on the system. Of several starts that share the
 * cache one brings what is missing, and the others wait and find it.
 */
export async function bringDebianProgram(wanted: DebianProgram, progress: Progress): Promise<BroughtProgram> {
  const known = await workingProgram(wanted);
  if (known !== undefined) return known;
  requirePackageTools(needOf(wanted));
  const unlock = await takePackageLock(() => {
    progress.say(`Packages are being brought already; ${wanted.title} comes after them.`);
  });
  try {
    return (await workingProgram(wanted)) ?? (await bring(wanted, progress));
  } finally {
    unlock();
  }
}

/** In place of one that is there and does not work: nobody can be using that. */
async function bring(wanted: DebianProgram, progress: Progress): Promise<BroughtProgram> {
  const need = needOf(wanted);
  const target = folderOf(wanted);
  mkdirSync(dirname(target), { recursive: true });
  const folder = mkdtempSync(`${target}.`);
  try {
    progress.say(
      `Bringing ${wanted.title}: downloading ${wanted.packages.join(', ')} (unpacked into ${target}, nothing is installed).`,
    );
    if (wanted.withDependencies === true) {
      await unpackWithDependencies(wanted.packages, folder, need, (line) => progress.say(line));
    } else {
      for (const name of wanted.packages) await unpackPackage([name], folder, need);
    }
    await completeLibraries(folder, wanted, progress);
    const program = programIn(folder, wanted);
    const { code, output } = await tryOut(program, wanted, folder);
    if (code !== 0) {
      throw new Refusal(`${wanted.title} was downloaded but does not run here (${tailOf(output)}): ${need.wayOut}.`);
    }
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return programIn(target, wanted);
}

function folderOf(wanted: DebianProgram): string {
  return join(cacheFolder(), 'debian', systemName(), wanted.name);
}

/** Folders of Debian's for libraries of which there are several, or that are nobody else's business. */
const besideLibraries = ['pulseaudio', 'blas', 'lapack'];

function programIn(folder: string, wanted: DebianProgram): BroughtProgram {
  const libraries: string[] = [];
  for (const base of ['usr/lib', 'lib']) {
    const path = join(folder, base);
    if (!existsSync(path)) continue;
    libraries.push(path);
    for (const entry of readdirSync(path)) {
      if (!entry.includes('-linux-gnu')) continue;
      libraries.push(join(path, entry), ...besideLibraries.map((name) => join(path, entry, name)).filter(existsSync));
    }
  }
  return {
    command: join(folder, wanted.program),
    env: libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(':') } : {},
  };
}

async function tryOut(
  { command, env }: BroughtProgram,
  { check }: DebianProgram,
  folder: string,
): Promise<CommandResult> {
  return await runCommand(command, check?.(folder) ?? ['--version'], { env });
}

/** Finds the libraries that the program lacks and brings them too. */
async function completeLibraries(folder: string, wanted: DebianProgram, progress: Progress): Promise<void> {
  // Libraries have libraries of their own; a program with many takes some rounds.
  for (let round = 0; round < 8; round += 1) {
    const program = programIn(folder, wanted);
    const missing = await missingLibraries(program.command, program.env);
    if (missing.length === 0) return;
    for (const soname of missing) {
      const names = packagesOf(soname);
      progress.say(`Bringing ${names[0]}, a library that ${wanted.title} needs.`);
      await unpackPackage(names, folder, needOf(wanted));
    }
  }
}
