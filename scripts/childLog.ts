import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { formatLogLine } from './formatLogLine.ts';

/** Destination of the lines of one child. */
export interface ChildLog {
  /** Writes a line from the child. */
  line: (text: string) => void;
  /** Writes a line from the launcher about the child. */
  appendNotice: (text: string) => void;
  /** Returns the last lines in readable form, for the message that explains why the child was given up. */
  lastLines: (count: number) => string[];
}

/** Logs of all children: files with everything, and the console with what a person wants to read. */
export interface ChildLogs {
  /** @param loud pattern of lines that the console shows, for a foreign program. Default: none. */
  of: (name: string, loud?: RegExp) => ChildLog;
  /** Shows informational lines on the console, too, not only problems. */
  showAll: () => void;
  /** Shows nothing on the console from now on, because everything is being stopped deliberately. */
  mute: () => void;
  close: () => void;
}

/** Pattern for a program whose output is shown only if it fails. */
export const noLogPattern = /(?!)/;

const keepBytes = 20 * 1024 * 1024;
const warning = 40;

/**
 * @param home the instance; its `logs` folder gets one file of JSON lines per child.
 * @param show prints a line on the console. Absent: no output.
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
      const { level, readable, json } = formatLogLine(text, name);
      file.write(json ?? wrapped(text));
      last.push(readable);
      if (last.length > 20) last.shift();
      const shown = json === undefined ? loudEnough(text) : level >= fromLevel;
      if (shown && fromLevel !== Infinity) show?.(`${name.padEnd(10)} ${readable}`);
    }
    // Any line that one of our services prints outside its log is a crash or a warning. A foreign program prints many
    // lines, mostly uninteresting.
    function loudEnough(text: string): boolean {
      return loud === undefined || loud.test(text);
    }
    return {
      line: take,
      appendNotice: (text) => {
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
        // A full disk must not end everything that runs. Writing resumes once there is space.
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
