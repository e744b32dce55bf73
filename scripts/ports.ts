import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const handedOut = new Set<number>();

/**
 * Notes of which process was given which port, one file each. A port is listened on only a while after it was found free,
 * and without them another Nolo on the machine could be given it meanwhile.
 */
const notes = join(tmpdir(), 'nolo-ports');

/**
 * A free TCP port on 127.0.0.1. It lies below the range from which the kernel takes the ports of
 * outgoing connections: otherwise, while a server is being restarted, a client that tries to
 * reconnect could be given the server's own port, or even connect to itself.
 */
export async function freePort(): Promise<number> {
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

function noteOf(port: number): string {
  return join(notes, String(port));
}

/** False where another process that lives has it. Where no notes can be kept, luck has to do. */
function reserve(port: number): boolean {
  try {
    // For every user of the machine, as the folder above it is.
    mkdirSync(notes, { recursive: true, mode: 0o1777 });
    writeFileSync(noteOf(port), String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return true;
  }
  if (ownerLives(port)) return false;
  // Left by one that was killed. Of two that find it so at once one writes the new note.
  release(port);
  try {
    writeFileSync(noteOf(port), String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function ownerLives(port: number): boolean {
  try {
    const pid = Number(readFileSync(noteOf(port), 'utf8'));
    if (!Number.isInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process lives too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function release(port: number): void {
  try {
    rmSync(noteOf(port), { force: true });
  } catch {
    // Another user's; the port is passed over until they are gone.
  }
}

/** Whether a server could listen there right now. */
export async function canListen(port: number, host: string): Promise<boolean> {
  return (await listenError(port, host)) === undefined;
}

/** The reason why a server cannot listen there (EADDRINUSE, EACCES, ...), or undefined. */
export async function listenError(port: number, host: string): Promise<string | undefined> {
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

/** Whether somebody takes connections there. */
export async function answers(host: string, port: number): Promise<boolean> {
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
