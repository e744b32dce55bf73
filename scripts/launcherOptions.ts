import { join, resolve } from 'node:path';
import { projectRoot } from './paths.ts';
import { CommandError } from './commandError.ts';

/** Request from the command line and the environment. */
export interface LauncherOptions {
  command: 'start' | 'stop' | 'test' | 'check' | 'doctor' | 'admin';
  /** Words after the command, without options of the launcher itself. */
  words: string[];
  /** NOLO_HOME, the folder for all data of an instance. */
  home: string;
  host: string;
  port: number;
  /** True if installing a browser is approved: --yes or NOLO_YES. */
  yes: boolean;
  /** True if a person can be prompted. */
  interactive: boolean;
}

const commands = ['start', 'stop', 'test', 'check', 'doctor', 'admin'] as const;

/** Reads the launcher's options. Throws a CommandError that names the problem. */
export function readLauncherOptions(argv: string[], env: NodeJS.ProcessEnv): LauncherOptions {
  const rest = [...argv];
  let command = rest.shift() ?? 'start';
  // `npm start -- doctor` arrives as `start doctor`.
  if (command === 'start' && rest[0] === 'doctor') {
    rest.shift();
    command = 'doctor';
  }
  const known = commands.find((name) => name === command);
  if (known === undefined) {
    throw new CommandError(`Unknown command "${command}". The commands are ${commands.join(', ')}.`);
  }
  const yes = rest.some((word) => word === '--yes' || word === '-y');
  const words = rest.filter((word) => word !== '--yes' && word !== '-y');
  if (known === 'start' && words.length > 0) {
    throw new CommandError(
      `Unknown argument "${words[0]}". npm start accepts --yes, and "doctor", which checks this machine.`,
    );
  }
  // npm changes to the project's folder; INIT_CWD is the person's original folder.
  const from = env['INIT_CWD'] || process.cwd();
  return {
    command: known,
    words,
    home: env['NOLO_HOME'] ? resolve(from, env['NOLO_HOME']) : join(projectRoot, '.nolo'),
    host: env['HOST'] || '127.0.0.1',
    port: readPort(env['PORT']),
    yes: yes || ['1', 'true', 'yes'].includes((env['NOLO_YES'] ?? '').toLowerCase()),
    interactive: process.stdin.isTTY === true && process.stdout.isTTY === true,
  };
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return 8080;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new CommandError(`PORT is "${text}", but must be a whole number from 1 to 65535.`);
  }
  return port;
}

/** Returns true if an address is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
}
