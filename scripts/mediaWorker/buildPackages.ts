import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  findMissingLibraries,
  packageNamesOfLibrary,
  requirePackageTools,
  takePackageLock,
  fetchPackage,
  type UnavailablePackageAdvice,
} from '../debianPackages.ts';
import { findProgram } from '../paths.ts';
import type { Progress } from '../progress.ts';
import { CommandError } from '../commandError.ts';
import { readMediasoupPackage } from './workerPlaces.ts';

/**
 * Tools and libraries that the worker is built and linked with. Each command is a list: the program and its first
 * arguments.
 */
export interface BuildTools {
  c: string;
  cpp: string;
  meson: { command: string; args: string[]; env: Record<string, string> };
  ninja: string;
  flatc: string[];
  /** Header folders that the compiler does not search by default. */
  headerFolders: string[];
  /** Linker arguments for each of the worker's subprojects. */
  libraries: Record<'libuv' | 'openssl' | 'libsrtp' | 'flatbuffers' | 'abseil', string[]>;
  /** Shared libraries that this machine lacks, to be placed next to the worker, in `lib`. */
  companions: string[];
}

/** Folder where Debian installs libraries of this machine's architecture. */
const libraryFolder = join('usr/lib', process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu');

function wayOut(): string {
  return `name a mediasoup-worker ${readMediasoupPackage().version} in MEDIASOUP_WORKER_BIN`;
}

/** Finds the compilers. They must be installed on the machine because they are too large to fetch on demand. */
export function findCompilers(
  find: (name: string) => string | undefined = findProgram,
): { c: string; cpp: string; python: string } | CommandError {
  const pairs = [
    ['gcc', 'g++'],
    ['clang', 'clang++'],
  ] as const;
  for (const [first, second] of pairs) {
    const [c, cpp, python] = [find(first), find(second), find('python3')];
    if (c !== undefined && cpp !== undefined && python !== undefined) return { c, cpp, python };
  }
  const missing = [
    ...(pairs.some(([first, second]) => find(first) && find(second)) ? [] : ['g++']),
    ...(find('python3') === undefined ? ['python3'] : []),
  ];
  return new CommandError(
    `The media worker has to be built here because mediasoup's prebuilt one could not be downloaded. Building it takes ${missing.join(' and ')}: install ${missing.length > 1 ? 'them' : 'it'} ("apt-get install ${missing.join(' ')}" as root), or ${wayOut()}.`,
  );
}

/** Finds the tools and libraries on the machine, and unpacks missing ones below `prefix` from Debian's packages. */
export async function gatherBuildTools(prefix: string, progress: Progress): Promise<BuildTools> {
  const compilers = findCompilers();
  if (compilers instanceof CommandError) throw compilers;
  mkdirSync(prefix, { recursive: true });
  const brought: string[] = [];

  function lookup(paths: string[]): string | undefined {
    return ['/', prefix].flatMap((root) => paths.map((path) => join(root, path))).find((path) => existsSync(path));
  }
  /** Returns the first of the paths that is on the machine, or else in the package. */
  async function bring(packages: string[], ...paths: string[]): Promise<string> {
    const known = lookup(paths);
    if (known !== undefined) return known;
    const need: UnavailablePackageAdvice = {
      lack: `The media worker has to be built here, and the required package ${packages[0]} is not installed`,
      wayOut: wayOut(),
    };
    requirePackageTools(need);
    const unlock = await takePackageLock();
    try {
      await fetchPackage(packages, prefix, need);
    } finally {
      unlock();
    }
    brought.push(packages[0] ?? '');
    const fresh = lookup(paths);
    if (fresh === undefined) {
      throw new CommandError(
        `The package ${packages[0]} does not contain ${paths[0]}, so the media worker cannot be built here.`,
      );
    }
    return fresh;
  }
  async function library(name: string, ...files: string[]): Promise<string> {
    return await bring([name], ...files.map((file) => join(libraryFolder, file)));
  }

  progress.print(
    'Building the media worker takes a few minutes, once. The packages it needs are unpacked, not installed.',
  );
  const meson = findProgram('meson') ?? (await bring(['meson'], 'usr/bin/meson'));
  const ninja = findProgram('ninja') ?? (await bring(['ninja-build'], 'usr/bin/ninja'));
  const ssl = await library('libssl-dev', 'libssl.a');
  const uv = await library('libuv1-dev', 'libuv_a.a', 'libuv.a');
  const srtp = await library('libsrtp2-dev', 'libsrtp2.a');
  const absl = await library('libabsl-dev', 'libabsl_strings.a');
  const flatbuffers = await library('libflatbuffers-dev', 'libflatbuffers.a');
  const flatc = await bring(['flatbuffers-compiler'], 'usr/bin/flatc');
  const libraryPath = { LD_LIBRARY_PATH: join(prefix, libraryFolder) };
  for (const soname of await findMissingLibraries(flatc, libraryPath)) {
    await bring(packageNamesOfLibrary(soname), join(libraryFolder, soname));
  }
  const openssl = [ssl, ssl.replace(/libssl\.a$/, 'libcrypto.a')];
  const nss = needsNss(srtp) ? await bringNss(library) : undefined;
  if (brought.length > 0) progress.print(`Downloaded ${brought.join(', ')}.`);

  return {
    c: compilers.c,
    cpp: compilers.cpp,
    meson: meson.startsWith(prefix)
      ? {
          command: compilers.python,
          args: [meson],
          env: { PYTHONPATH: join(prefix, 'usr/lib/python3/dist-packages') },
        }
      : { command: meson, args: [], env: {} },
    ninja,
    flatc: flatc.startsWith(prefix) ? ['env', `LD_LIBRARY_PATH=${libraryPath.LD_LIBRARY_PATH}`, flatc] : [flatc],
    headerFolders: ['usr/include', join('usr/include', basename(libraryFolder))]
      .map((folder) => join(prefix, folder))
      .filter((folder) => existsSync(folder)),
    libraries: {
      libuv: [uv],
      openssl,
      libsrtp: [srtp, ...(nss === undefined ? openssl : nss.link)],
      flatbuffers: [flatbuffers],
      abseil: filesIn(dirname(absl), /^libabsl_.*\.a$/),
    },
    companions: (nss?.files ?? []).filter((file) => file.startsWith(prefix)),
  };
}

/** Returns true if libsrtp uses the ciphers of NSS, as in Debian. Other distributions use OpenSSL. */
function needsNss(archive: string): boolean {
  return readFileSync(archive).includes('NSS_InitContext');
}

/** Fetches NSS, which has only shared libraries and loads some of them at run time. */
async function bringNss(
  library: (name: string, ...files: string[]) => Promise<string>,
): Promise<{ link: string[]; files: string[] }> {
  const nss = await library('libnss3', 'libnss3.so');
  const nspr = await library('libnspr4', 'libnspr4.so');
  const sqlite = await library('libsqlite3-0', 'libsqlite3.so.0');
  const folders = new Set([dirname(nss), dirname(nspr), dirname(sqlite)]);
  const files = /^lib(nss3|nssutil3|softokn3|freebl3|freeblpriv3|nspr4|plc4|plds4|sqlite3)\.(so|chk)/;
  return {
    link: [nss, nspr, ...[...folders].map((folder) => `-Wl,-rpath-link,${folder}`)],
    files: [...folders].flatMap((folder) => filesIn(folder, files)),
  };
}

function filesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folder, name));
}
