import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import { takeBuildLock } from './buildLock.ts';
import { requireLaunchAllowed } from './liveChildren.ts';
import { getCacheFolder, findProgram } from './paths.ts';
import { CommandError } from './commandError.ts';
import { runCommand, lastOutputLines } from './runCommand.ts';

/** Purpose of the packages, for messages about unavailable ones. */
export interface UnavailablePackageAdvice {
  /** Problem, for example "Redis is not on this machine". */
  lack: string;
  /** Advice, for example "install redis-server with your package manager". */
  wayOut: string;
}

/** Returns a system name such as "debian12-x64". Fetched or built files only work on the same system. */
export function getSystemName(): string {
  let release = 'linux';
  try {
    const text = readFileSync('/etc/os-release', 'utf8');
    const id = /^ID="?([^"\n]+)"?$/m.exec(text)?.[1];
    const version = /^VERSION_ID="?([^"\n]+)"?$/m.exec(text)?.[1];
    release = [id, version].filter((part) => part !== undefined).join('');
  } catch {
    // Falls back to the generic name.
  }
  return `${release}-${arch()}`;
}

/** Throws if the tools to fetch packages are missing. */
export function requirePackageTools(need: UnavailablePackageAdvice): void {
  for (const tool of ['apt-get', 'dpkg']) {
    if (findProgram(tool) === undefined) {
      throw new CommandError(`${need.lack}, and cannot be downloaded because ${tool} is missing: ${need.wayOut}.`);
    }
  }
}

/**
 * Acquires the package lock: only one process at a time fetches packages into a cache folder because apt's lists and
 * unpacked files are shared. Returns a function that releases it.
 */
export async function takePackageLock(onWait?: () => void): Promise<() => void> {
  return await takeBuildLock(join(getCacheFolder(), 'packages.lock'), onWait);
}

/**
 * Downloads the first named package that exists and unpacks it into the folder. Nothing is installed, so this needs no
 * root and changes nothing on the system.
 */
export async function fetchPackage(names: string[], folder: string, need: UnavailablePackageAdvice): Promise<void> {
  const download = mkdtempSync(join(folder, 'download.'));
  let aptOutput = '';
  const plain: string[] = [];
  // Tries the package lists of the machine first. Our own lists follow, for a machine without lists or with ones that
  // name packages the mirror has replaced.
  for (const lists of [plain, privateLists()]) {
    requireLaunchAllowed();
    if (lists.length > 0) {
      await runCommand('apt-get', ['-q', ...lists, 'update'], { env: aptEnv(), timeoutMs: 180_000 });
    }
    for (const name of names) {
      requireLaunchAllowed();
      const args = ['-q', ...lists, ...aptSettings, 'download', name];
      const result = await runCommand('apt-get', args, {
        cwd: download,
        env: aptEnv(),
        timeoutMs: 180_000,
      });
      aptOutput = result.output;
      const file = readdirSync(download).find((entry) => entry.endsWith('.deb'));
      if (result.code !== 0 || file === undefined) continue;
      const unpacked = await runCommand('dpkg', ['-x', join(download, file), folder]);
      if (unpacked.code !== 0) {
        throw new CommandError(`The package ${name} could not be unpacked (${lastOutputLines(unpacked.output)}).`);
      }
      rmSync(download, { recursive: true, force: true });
      return;
    }
  }
  throw notDownloaded(names[0], aptOutput, need);
}

/**
 * Downloads the named packages and the dependencies that this machine lacks, and unpacks them into the folder. Only the
 * package manager knows the dependencies: names of libraries do not reveal their package.
 */
export async function fetchPackagesWithDependencies(
  names: string[],
  folder: string,
  need: UnavailablePackageAdvice,
  print: (line: string) => void,
): Promise<void> {
  const download = mkdtempSync(join(folder, 'download.'));
  const env = aptEnv();
  let aptOutput = '';
  const plain: string[] = [];
  for (const lists of [plain, privateLists()]) {
    requireLaunchAllowed();
    if (lists.length > 0) await runCommand('apt-get', ['-q', ...lists, 'update'], { env, timeoutMs: 180_000 });
    const options = ['-q', ...lists, ...aptSettings];
    const plan = await runCommand('apt-get', [...options, '-s', '--no-install-recommends', 'install', ...names], {
      env,
    });
    const wanted = [...plan.stdout.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '');
    aptOutput = plan.output;
    if (plan.code !== 0 || wanted.length === 0) continue;
    print(`Downloading ${wanted.length} packages: ${names.join(', ')}, and its dependencies.`);
    requireLaunchAllowed();
    const result = await runCommand('apt-get', [...options, 'download', ...wanted], {
      cwd: download,
      env,
      timeoutMs: 600_000,
    });
    aptOutput = result.output;
    const files = readdirSync(download).filter((entry) => entry.endsWith('.deb'));
    if (result.code !== 0 || files.length < wanted.length) continue;
    for (const file of files) {
      const unpacked = await runCommand('dpkg', ['-x', join(download, file), folder]);
      if (unpacked.code !== 0)
        throw new CommandError(`The package ${file} could not be unpacked (${lastOutputLines(unpacked.output)}).`);
    }
    rmSync(download, { recursive: true, force: true });
    return;
  }
  throw notDownloaded(names[0], aptOutput, need);
}

function notDownloaded(
  name: string | undefined,
  aptOutput: string,
  { lack, wayOut }: UnavailablePackageAdvice,
): CommandError {
  const problem = aptOutput.split('\n').find((line) => line.startsWith('E:')) ?? lastOutputLines(aptOutput, 1);
  return new CommandError(
    `${lack}, and its package ${name ?? ''} could not be downloaded (${problem}): check the network, or ${wayOut}.`,
  );
}

/** Returns the shared libraries that the loader does not find for a program. */
export async function findMissingLibraries(program: string, env: Record<string, string>): Promise<string[]> {
  const { output } = await runCommand('ldd', [program], { env: { ...env, PATH: process.env['PATH'], LC_ALL: 'C' } });
  return [...new Set([...output.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? ''))];
}

/**
 * Returns the possible package names of a shared library. Debian names the package after the soname (libjemalloc.so.2
 * is in libjemalloc2); some end with "t64" since 2024.
 */
export function packageNamesOfLibrary(soname: string): string[] {
  const match = /^(.+)\.so(?:\.(.+))?$/.exec(soname);
  const stem = (match?.[1] ?? soname).toLowerCase().replaceAll('_', '-');
  const version = match?.[2] ?? '';
  const name = /\d$/.test(stem) && version !== '' ? `${stem}-${version}` : `${stem}${version}`;
  return [name, `${name}t64`];
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
  const folder = join(getCacheFolder(), 'apt');
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
