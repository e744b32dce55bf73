import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const handedOut = new Set<number>();

/**
 * Records of the process that each port was assigned to, one file each. A port is used only a while after it was found
 * free; without records, another Nolo on the machine could get it meanwhile.
 */
const reservationsFolder = join(tmpdir(), 'nolo-ports');

/**
 * Returns a free TCP port on 127.0.0.1, below the range that the kernel uses for outgoing connections. Otherwise, while
 * a server restarts, a reconnecting client could get the server's port, or even connect to itself.
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (handedOut.has(port) || !reserve(port)) continue;
    if (await canListen(port, '127.0.0.1')) {
      keep(port);
      return port;
    }
    release(port);
  }
  throw new Error('No free port was found between 20000 and 32000.');
}

function keep(port: number): void {
  if (handedOut.size === 0) process.once('exit', () => handedOut.forEach(release));
  handedOut.add(port);
}

function reservationFile(port: number): string {
  return join(reservationsFolder, String(port));
}

/** Returns false if another living process has the port. If no records can be written, the port is used anyway. */
function reserve(port: number): boolean {
  try {
    // Writable for every user of the machine, like the folder above it.
    mkdirSync(reservationsFolder, { recursive: true, mode: 0o1777 });
    writeFileSync(reservationFile(port), String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return true;
  }
  if (ownerLives(port)) return false;
  // The record is from a killed process. If two processes notice at once, only one writes the new record.
  release(port);
  try {
    writeFileSync(reservationFile(port), String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function ownerLives(port: number): boolean {
  try {
    const pid = Number(readFileSync(reservationFile(port), 'utf8'));
    if (!Number.isInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Processes of other users are alive, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function release(port: number): void {
  try {
    rmSync(reservationFile(port), { force: true });
  } catch {
    // The record belongs to another user; its port is skipped until they are gone.
  }
}

/** Returns true if a server could listen there now. */
async function canListen(port: number, host: string): Promise<boolean> {
  return (await findListenError(port, host)) === undefined;
}

/** Returns the reason why a server cannot listen there (EADDRINUSE, EACCES, ...), or undefined. */
export async function findListenError(port: number, host: string): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? error.message);
    });
    server.listen({ port, host, exclusive: true }, () => {
      server.close(() => {
        resolve(undefined);
      });
    });
  });
}

/** Returns true if a server accepts connections there. */
export async function acceptsConnections(host: string, port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5000 });
    const end = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', end(true));
    socket.once('timeout', end(false));
    socket.once('error', end(false));
  });
}
