import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { findProgram } from '../../../scripts/paths.ts';

/**
 * Builds the small program that sends and receives packets. In C, because Node's own sockets cost several times what
 * the kernel does, and would make anything look good in comparison.
 */
export function buildUdpProgram(folder: string): string {
  const compiler = ['cc', 'gcc', 'clang'].map((name) => findProgram(name)).find((path) => path !== undefined);
  if (compiler === undefined) {
    throw new Error('No C compiler was found; without one there is no fair baseline for the media worker.');
  }
  const program = join(folder, 'udp');
  execFileSync(compiler, ['-O2', '-Wall', '-Wextra', '-Werror', '-o', program, join(import.meta.dirname, 'udp.c')]);
  return program;
}

/** Runs the program, with one question per line. It ends when it is stopped, or with this process. */
export class UdpProcess {
  readonly pid: number;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(program: string, words: readonly string[]) {
    this.#child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#child.pid === undefined) throw new Error(`${program} did not start.`);
    this.pid = this.#child.pid;
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async readLine(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('The UDP program has exited.');
    return value;
  }

  /** Sends a question and waits for the answer, which is one number. */
  async sendCommand(question: string): Promise<number> {
    this.#child.stdin.write(`${question}\n`);
    return Number(await this.readLine());
  }

  stop(): void {
    this.#child.stdin.end();
  }
}
