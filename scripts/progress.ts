/** Reports progress to the person at the terminal, one line each. */
export interface Progress {
  /** Runs a step and prints its name, its result, and how long it took. */
  step: <T>(name: string, work: () => Promise<T>, detail?: (result: T) => string) => Promise<T>;
  /** Prints a separate line, such as the start of a download. */
  print: (line: string) => void;
  /** Prints a warning that must not be overlooked. */
  warn: (line: string) => void;
}

/** Returns progress output for a terminal or a log. */
export function createConsoleProgress(stream: NodeJS.WriteStream): Progress {
  const colour = stream.isTTY && !process.env['NO_COLOR'];
  const paint = (code: string, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    async step(name, work, detail) {
      const began = performance.now();
      try {
        const result = await work();
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        const detailText = detail?.(result);
        stream.write(
          `${paint('32', '✓')} ${name.padEnd(12)} ${detailText ?? 'done'} ${paint('2', `(${seconds} s)`)}\n`,
        );
        return result;
      } catch (error) {
        stream.write(`${paint('31', '✗')} ${name}\n`);
        throw error;
      }
    },
    print(line) {
      stream.write(`  ${line}\n`);
    },
    warn(line) {
      stream.write(`${paint('33', '! ' + line)}\n`);
    },
  };
}

/** Progress for tests, which prints nothing. */
export const silentProgress: Progress = {
  step: async (_name, work) => await work(),
  print: () => undefined,
  warn: () => undefined,
};
