import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { Refusal } from '../refusal.ts';
import type { BuildTools } from './buildPackages.ts';
import { mediasoupFolder, mediasoupPackage } from './workerPlaces.ts';

/** A change to a file of mediasoup's, which must find exactly what it replaces. */
interface Patch {
  file: string;
  from: string;
  to: string;
}

const patches: readonly Patch[] = [
  {
    // Debian 12 has meson 1.0, which does as well.
    file: 'meson.build',
    from: "meson_version: '>= 1.1.0'",
    to: "meson_version: '>= 1.0.0'",
  },
  {
    // Most of a compiler's time goes into the same headers, again for each source.
    file: 'meson.build',
    from: "cpp_args: cpp_args + ['-DMS_EXECUTABLE'],",
    to: "cpp_args: cpp_args + ['-DMS_EXECUTABLE'],\n  cpp_pch: 'precompiled/precompiled.hpp',",
  },
  {
    // OpenSSL asks this callback before an operation, where 1 lets it go on, and after it, with BIO_CB_RETURN set beside
    // the operation, where the answer takes the place of the operation's own. The worker answers 1 to everything. The
    // OpenSSL that it brings asks nothing that this is wrong for; distributions build theirs with kernel TLS, which asks
    // the BIO whether it may hand the connection to the kernel, and then crashes in do_dtls1_write on the way that 1 sent
    // it.
    file: 'src/RTC/DtlsTransport.cpp',
    from: '(operationType == BIO_CB_RETURN) ? static_cast<long>(ret) : 1;',
    to: '(operationType & BIO_CB_RETURN) ? static_cast<long>(ret) : 1;',
  },
];

/** For meson's set-up. */
export const mesonOptions = [
  '--wrap-mode=nodownload',
  '--buildtype=release',
  // At -O3, which a release has otherwise, the same takes longer to build and is hardly faster.
  '-Doptimization=2',
  '-Db_ndebug=true',
];

/**
 * Copies the source of the worker out of the npm package, and lets it take its libraries from the system where it would
 * download theirs: meson looks for a subproject in the folder that its .wrap file names, and finds ours there.
 */
export function prepareSource(source: string): void {
  cpSync(join(mediasoupFolder, 'worker'), source, {
    recursive: true,
    filter: (path) => path !== join(mediasoupFolder, 'worker/out'),
  });
  for (const { file, from, to } of patches) {
    const path = join(source, file);
    writeFileSync(path, patched(readFileSync(path, 'utf8'), { file, from, to }));
  }
  const recipe = join(projectRoot, 'scripts/mediaWorker');
  cpSync(join(recipe, 'precompiled.hpp'), join(source, 'precompiled/precompiled.hpp'));
  const ours = join(recipe, 'subprojects');
  for (const name of readdirSync(ours)) {
    const wrap = join(source, 'subprojects', `${name}.wrap`);
    if (!existsSync(wrap)) throw otherSource(`it has no subproject ${name}`);
    cpSync(join(ours, name), join(source, 'subprojects', wrappedFolder(readFileSync(wrap, 'utf8'))), {
      recursive: true,
    });
  }
}

/** The text with one change made. */
export function patched(text: string, { file, from, to }: Patch): string {
  if (text.split(from).length !== 2) throw otherSource(`${file} does not say “${from}” once`);
  return text.replace(from, () => to);
}

/** The folder that a .wrap file gives to its subproject. */
export function wrappedFolder(wrap: string): string {
  const folder = /^directory *= *(\S+)$/m.exec(wrap)?.[1];
  if (folder === undefined) throw otherSource('a .wrap file names no directory');
  return folder;
}

/** Tells meson which programs to use, and our subprojects where the libraries are. */
export function nativeFile(tools: BuildTools): string {
  const compilerArgs = list(tools.headerFolders.flatMap((folder) => ['-isystem', folder]));
  // The libraries that lie beside the worker are found from wherever its folder is, and, by the older of the two kinds of
  // search path, also by one another.
  const searchPath = tools.companions.length > 0 ? ['-Wl,--disable-new-dtags', '-Wl,-rpath,$ORIGIN/lib'] : [];
  return [
    '[binaries]',
    `c = ${list([tools.c])}`,
    `cpp = ${list([tools.cpp])}`,
    `flatc = ${list(tools.flatc)}`,
    '[built-in options]',
    `c_args = ${compilerArgs}`,
    `cpp_args = ${compilerArgs}`,
    // Without its symbols the program has half the size.
    `cpp_link_args = ${list(['-s', ...searchPath])}`,
    '[properties]',
    ...Object.entries(tools.libraries).map(([name, args]) => `${name} = ${list(args)}`),
    '',
  ].join('\n');
}

function list(words: string[]): string {
  return `[${words.map((word) => `'${word.replace(/[\\']/g, '\\$&')}'`).join(', ')}]`;
}

function otherSource(difference: string): Refusal {
  return new Refusal(
    `The source of mediasoup ${mediasoupPackage().version} is not the one that scripts/mediaWorker knows how to build: ${difference}.`,
  );
}
