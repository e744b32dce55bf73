import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { JobRefusedError } from './messages.ts';

const maxOutputBytes = 1024 * 1024;

export interface ProgramEnvironment {
  /** Working directory of the program, also for its temporary files. */
  readonly folder: string;
  /** Complete environment of the program, apart from its folder. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Runs a program to its end and returns its output. The program gets no input. Its stderr is discarded, because
 * recognizers write there what they hear. The service limits the run time.
 */
export async function runProgram(
  command: readonly string[],
  { folder, environment }: ProgramEnvironment,
): Promise<string> {
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
      if (size <= maxOutputBytes) chunks.push(chunk);
      else {
        // Past the output limit, stops reading and kills the program.
        child.stdout.destroy();
        child.kill('SIGKILL');
      }
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      reject(new JobRefusedError('failed', `${name} could not be started (${error.code ?? 'unknown'})`));
    });
    child.once('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString());
      else reject(new JobRefusedError('failed', `${name} exited with ${signal ?? `status ${String(code)}`}`));
    });
  });
}
