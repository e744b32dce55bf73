import { join, resolve } from 'node:path';
import { projectRoot } from './paths.ts';
import { Refusal } from './refusal.ts';

/** What the person asked for, from the command line and the environment. */
export interface Options {
  command: 'start' | 'stop' | 'test' | 'check' | 'doctor' | 'admin';
  /** The words after the command, without those that are options of the launcher itself. */
  words: string[];
  /** NOLO_HOME: where everything that an instance keeps is stored. */
  home: string;
  host: string;
  port: number;
  /** Whether installing a browser is agreed to: --yes or NOLO_YES. */
  yes: boolean;
  /** Whether somebody is there to be asked. */
  interactive: boolean;
}

const commands = ['start', 'stop', 'test', 'check', 'doctor', 'admin'] as const;

/** Reads the launcher's own options; throws a Refusal that names what is wrong. */
export function readOptions(argv: string[], env: NodeJS.ProcessEnv): Options {
  const rest = [...argv];
  let command = rest.shift() ?? 'start';
  // `npm start -- doctor` arrives as `start doctor`.
  if (command === 'start' && rest[0] === 'doctor') {
    rest.shift();
    command = 'doctor';
  }
  const known = commands.find((name) => name === command);
  if (known === undefined) {
    throw new Refusal(`"${command}" is no command; there are ${commands.join(', ')}.`);
  }
  const yes = rest.some((word) => word === '--yes' || word === '-y');
  const words = rest.filter((word) => word !== '--yes' && word !== '-y');
  if (known === 'start' && words.length > 0) {
    throw new Refusal(`npm start does not know "${words[0]}"; it takes --yes, and "doctor" to look around.`);
  }
  // npm changes into the project's folder, INIT_CWD is where the person was.
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
    throw new Refusal(`PORT is "${text}", but a port is a whole number from 1 to 65535.`);
  }
  return port;
}

/** Whether an address is reachable from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
}
