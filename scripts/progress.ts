/** Tells the person at the terminal what is going on, one line for each thing. */
export interface Progress {
  /** Runs a step and prints its name, what it found, and how long it took. */
  step: <T>(name: string, work: () => Promise<T>, detail?: (result: T) => string) => Promise<T>;
  /** A line of its own, such as a download's beginning. */
  say: (line: string) => void;
  /** Something that must not be overlooked. */
  warn: (line: string) => void;
}

/** Progress on a terminal or in a log. */
export function consoleProgress(stream: NodeJS.WriteStream): Progress {
  const colour = stream.isTTY && !process.env['NO_COLOR'];
  const paint = (code: string, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    async step(name, work, detail) {
      const began = performance.now();
      try {
        const result = await work();
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        const said = detail?.(result);
        stream.write(`${paint('32', '✓')} ${name.padEnd(12)} ${said ?? 'done'} ${paint('2', `(${seconds} s)`)}\n`);
        return result;
      } catch (error) {
        stream.write(`${paint('31', '✗')} ${name}\n`);
        throw error;
      }
    },
    say(line) {
      stream.write(`  ${line}\n`);
    },
    warn(line) {
      stream.write(`${paint('33', '! ' + line)}\n`);
    },
  };
}

/** For tests: nothing is printed. */
export const silentProgress: Progress = {
  step: async (_name, work) => await work(),
  say: () => undefined,
  warn: () => undefined,
};
