import type { RunningChild } from '../childProcess.ts';

/** A backing service that this launcher runs itself. */
export interface BackingProgram {
  /** "Postgres 18.4, brought". */
  description: string;
  port: number;
  /** The address, password included, that clients use. */
  url: string;
  launch: (onLine: (line: string) => void) => Promise<RunningChild>;
  /** Lines that are of interest to a person who only watches. */
  loud: RegExp;
}

/** Where a program was found, before anything is started. */
export interface FoundProgram {
  command: string;
  env: Record<string, string>;
  /** "on this machine" or "brought". */
  origin: string;
}

/** The least that a foreign program's process needs to know of its surroundings. */
export function plainEnv(extra: Record<string, string> = {}): Record<string, string> {
  // The mark of a test run, by which what a killed test left behind is found.
  const run = process.env['NOLO_TEST_RUN'];
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    ...(run === undefined ? {} : { NOLO_TEST_RUN: run }),
    ...extra,
  };
}
