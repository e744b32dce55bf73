import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { CommandError } from '../commandError.ts';
import type { BuildTools } from './buildPackages.ts';
import { mediasoupFolder, readMediasoupPackage } from './workerPlaces.ts';

/** Change to a file of mediasoup, which must contain exactly the text to replace. */
interface Patch {
  file: string;
  from: string;
  to: string;
}

const patches: readonly Patch[] = [
  {
    // Debian 12 has meson 1.0, which also works.
    file: 'meson.build',
    from: "meson_version: '>= 1.1.0'",
    to: "meson_version: '>= 1.0.0'",
  },
  {
    // Precompiled headers: most of the compile time is spent on the same headers in each source.
    file: 'meson.build',
    from: "cpp_args: cpp_args + ['-DMS_EXECUTABLE'],",
    to: "cpp_args: cpp_args + ['-DMS_EXECUTABLE'],\n  cpp_pch: 'precompiled/precompiled.hpp',",
  },
  {
    // OpenSSL calls this callback before an operation, where 1 lets it continue, and after it, with BIO_CB_RETURN set,
    // where the return value replaces that of the operation. The worker returns 1 for everything. That does no harm
    // with its bundled OpenSSL. Distributions build OpenSSL with kernel TLS, which asks the BIO whether it may hand the
    // connection to the kernel. The wrong 1 then makes it crash in do_dtls1_write.
    file: 'src/RTC/DtlsTransport.cpp',
    from: '(operationType == BIO_CB_RETURN) ? static_cast<long>(ret) : 1;',
    to: '(operationType & BIO_CB_RETURN) ? static_cast<long>(ret) : 1;',
  },
];

/** Options for meson's setup. */
export const mesonOptions = [
  '--wrap-mode=nodownload',
  '--buildtype=release',
  // The default -O3 of a release takes longer to build and is hardly faster.
  '-Doptimization=2',
  '-Db_ndebug=true',
];

/**
 * Copies the worker's source out of the npm package and makes it use system libraries instead of downloads. Meson looks
 * for a subproject in the folder named by its .wrap file, and finds ours there.
 */
export function prepareSource(source: string): void {
  cpSync(join(mediasoupFolder, 'worker'), source, {
    recursive: true,
    filter: (path) => path !== join(mediasoupFolder, 'worker/out'),
  });
  for (const { file, from, to } of patches) {
    const path = join(source, file);
    writeFileSync(path, applyPatch(readFileSync(path, 'utf8'), { file, from, to }));
  }
  const recipe = join(projectRoot, 'scripts/mediaWorker');
  cpSync(join(recipe, 'precompiled.hpp'), join(source, 'precompiled/precompiled.hpp'));
  const ours = join(recipe, 'subprojects');
  for (const name of readdirSync(ours)) {
    const wrap = join(source, 'subprojects', `${name}.wrap`);
    if (!existsSync(wrap)) throw otherSource(`it has no subproject ${name}`);
    cpSync(join(ours, name), join(source, 'subprojects', readWrapDirectory(readFileSync(wrap, 'utf8'))), {
      recursive: true,
    });
  }
}

/** Returns the text with one change applied. */
export function applyPatch(text: string, { file, from, to }: Patch): string {
  if (text.split(from).length !== 2) throw otherSource(`${file} does not contain “${from}” exactly once`);
  return text.replace(from, () => to);
}

/** Returns the folder that a .wrap file assigns to its subproject. */
export function readWrapDirectory(wrap: string): string {
  const folder = /^directory *= *(\S+)$/m.exec(wrap)?.[1];
  if (folder === undefined) throw otherSource('a .wrap file names no directory');
  return folder;
}

/** Returns meson's native file, with the programs to use and the library locations for our subprojects. */
export function renderMesonNativeFile(tools: BuildTools): string {
  const compilerArgs = list(tools.headerFolders.flatMap((folder) => ['-isystem', folder]));
  // Libraries next to the worker are found wherever its folder is. The older of the two search path kinds also lets
  // them find each other.
  const searchPath = tools.companions.length > 0 ? ['-Wl,--disable-new-dtags', '-Wl,-rpath,$ORIGIN/lib'] : [];
  return [
    '[binaries]',
    `c = ${list([tools.c])}`,
    `cpp = ${list([tools.cpp])}`,
    `flatc = ${list(tools.flatc)}`,
    '[built-in options]',
    `c_args = ${compilerArgs}`,
    `cpp_args = ${compilerArgs}`,
    // Stripping symbols halves the size of the program.
    `cpp_link_args = ${list(['-s', ...searchPath])}`,
    '[properties]',
    ...Object.entries(tools.libraries).map(([name, args]) => `${name} = ${list(args)}`),
    '',
  ].join('\n');
}

function list(words: string[]): string {
  return `[${words.map((word) => `'${word.replace(/[\\']/g, '\\$&')}'`).join(', ')}]`;
}

function otherSource(difference: string): CommandError {
  return new CommandError(
    `The source of mediasoup ${readMediasoupPackage().version} differs from the one that scripts/mediaWorker can build: ${difference}.`,
  );
}
