import { spawn } from 'node:child_process';
import { trackChild } from './liveChildren.ts';

/** Result of a short-lived command. */
export interface CommandResult {
  /** Exit code. 127 if the program could not be started. */
  code: number;
  /** Standard output and standard error together, in order. */
  output: string;
  /** Standard output alone, for parsing. */
  stdout: string;
}

export interface CommandOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  uid?: number;
  gid?: number;
  input?: string;
  timeoutMs?: number;
}

/** Runs a short-lived command to its end. Never throws. */
export async function runCommand(
  command: string,
  args: string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { input, timeoutMs, ...rest } = options;
  return await new Promise((resolve) => {
    const child = spawn(command, args, {
      ...rest,
      timeout: timeoutMs ?? 120_000,
      killSignal: 'SIGKILL',
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    trackChild(
      async () => {
        child.kill('SIGKILL');
        await Promise.resolve();
      },
      new Promise((ended) => child.once('close', ended)),
    );
    let output = '';
    let stdout = '';
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout?.on('data', take);
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr?.on('data', take);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.once('error', (error) => {
      resolve({ code: 127, output: output + error.message, stdout });
    });
    child.once('close', (code) => {
      resolve({ code: code ?? 1, output, stdout });
    });
  });
}

/** Returns the last lines of an output as one line, for a message. */
export function lastOutputLines(output: string, lines = 3): string {
  return output.trim().split('\n').slice(-lines).join(' / ');
}
