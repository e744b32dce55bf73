import type { RunningChild } from '../childProcess.ts';

/** Backing service run by this launcher. */
export interface BackingProgram {
  /** Description, for example "Postgres 18.4, brought". */
  description: string;
  port: number;
  /** URL for clients, including the password. */
  url: string;
  launch: (onLine: (line: string) => void) => Promise<RunningChild>;
  /** Log lines worth showing to a person who only watches. */
  loud: RegExp;
}

/** Location of a program before it is started. */
export interface FoundProgram {
  command: string;
  env: Record<string, string>;
  /** Origin: "on this machine" or "brought". */
  origin: string;
}

/** Returns the minimal environment for a foreign program. */
export function createMinimalEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  // Marker of the test run, used to find processes that a killed test left behind.
  const run = process.env['NOLO_TEST_RUN'];
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    ...(run === undefined ? {} : { NOLO_TEST_RUN: run }),
    ...extra,
  };
}
