import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { printable } from './printable.ts';

/** Where the lines of one child go. */
export interface ChildLog {
  /** A line that the child wrote. */
  line: (text: string) => void;
  /** Something the launcher has to say about the child. */
  note: (text: string) => void;
  /** The last lines as a person reads them, for the sentence that says why it was given up. */
  lastLines: (count: number) => string[];
}

/** The logs of all children: files with everything, the console with what a person wants to read. */
export interface ChildLogs {
  /** @param loud for a foreign program, which of its lines the console shows; none without it. */
  of: (name: string, loud?: RegExp) => ChildLog;
  /** From now on the console shows what is of interest, not only what is wrong. */
  showAll: () => void;
  /** From now on the console shows nothing: everything is being stopped on purpose. */
  mute: () => void;
  close: () => void;
}

/** For what is only of interest when it fails, and is then shown with the failure. */
export const quiet = /(?!)/;

const keepBytes = 20 * 1024 * 1024;
const warning = 40;

/**
 * @param home the instance; its `logs` folder gets one file of JSON lines for each child.
 * @param show prints a line on the console; nothing is shown without it.
 */
export function openChildLogs(home: string, show?: (line: string) => void): ChildLogs {
  const folder = join(home, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = new Map<string, { write: (line: string) => void; close: () => void }>();
  let fromLevel = warning;

  function of(name: string, loud?: RegExp): ChildLog {
    const file = files.get(name) ?? openRotated(join(folder, `${name}.log`));
    files.set(name, file);
    const last: string[] = [];
    function take(text: string): void {
      if (text === '') return;
      const { level, readable, json } = printable(text, name);
      file.write(json ?? wrapped(text));
      last.push(readable);
      if (last.length > 20) last.shift();
      const shown = json === undefined ? loudEnough(text) : level >= fromLevel;
      if (shown && fromLevel !== Infinity) show?.(`${name.padEnd(10)} ${readable}`);
    }
    // What a service of ours prints outside its log is a crash or a warning; a foreign program's
    // own lines are many and mostly of no interest.
    function loudEnough(text: string): boolean {
      return loud === undefined || loud.test(text);
    }
    return {
      line: take,
      note: (text) => {
        file.write(wrapped(text));
        last.push(text);
      },
      lastLines: (count) => last.slice(-count),
    };
  }

  return {
    of,
    showAll() {
      fromLevel = 30;
    },
    mute() {
      fromLevel = Infinity;
    },
    close() {
      for (const file of files.values()) file.close();
      files.clear();
    },
  };
}

function wrapped(text: string): string {
  return JSON.stringify({ time: new Date().toISOString(), msg: text });
}

function openRotated(path: string): { write: (line: string) => void; close: () => void } {
  let size = existsSync(path) ? statSync(path).size : 0;
  let descriptor: number | undefined = openSync(path, 'a', 0o600);
  return {
    write(line) {
      if (descriptor === undefined) return;
      try {
        if (size > keepBytes) {
          renameSync(path, `${path}.1`);
          const full = descriptor;
          descriptor = openSync(path, 'a', 0o600);
          closeSync(full);
          size = 0;
        }
        size += writeSync(descriptor, `${line}\n`);
      } catch {
        // A disk without room for logs is no reason to end everything that runs. What has room again is written again.
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
