import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { JobRefused } from './messages.ts';

const mostOutputBytes = 1024 * 1024;

export interface Surroundings {
  /** Where it works, and where it puts what it needs for a while. */
  readonly folder: string;
  /** All that it sees of the environment, beside its folder. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Runs a program to its end and answers what it printed. It gets nothing to read, and what it complains about is thrown
 * away, for recognisers write down there what they hear. How long it may take is the service's to say.
 */
export async function runProgram(command: readonly string[], { folder, environment }: Surroundings): Promise<string> {
  const [program = '', ...args] = command;
  const name = basename(program);
  return await new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...environment, HOME: folder, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostOutputBytes) chunks.push(chunk);
      else {
        // Whatever writes on has nobody to write to.
        child.stdout.destroy();
        child.kill('SIGKILL');
      }
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      reject(new JobRefused('failed', `${name} could not be started (${error.code ?? 'unknown'})`));
    });
    child.once('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString());
      else reject(new JobRefused('failed', `${name} ended with ${signal ?? `status ${String(code)}`}`));
    });
  });
}
