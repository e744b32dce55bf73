import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { requireLaunchAllowed, trackChild } from './liveChildren.ts';
import { projectRoot } from './paths.ts';
import { isAlive, identifyProcess, sendSignal, waitUntilGone, type ProcessIdentity } from './processes.ts';

/** Exit status of a process. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Running process of any kind. */
export interface RunningChild {
  /** Process ID of the program itself, not of its guard. */
  pid: number;
  /** Resolves once the process does its work; rejects if it ends before that. */
  ready: Promise<void>;
  exited: Promise<ProcessExit>;
  /** Stops the process in its own way or with the given signal, and waits. Kills it at the end of its grace period. */
  stop: (how?: NodeJS.Signals) => Promise<void>;
  /** Sends a signal to the program itself and returns at once. */
  kill: (name: NodeJS.Signals) => void;
}

interface ChildOptions {
  env: Record<string, string>;
  /** Receives each line of both outputs. */
  onLine: (line: string) => void;
  graceSeconds?: number;
}

export interface NodeChildOptions extends ChildOptions {
  /** Root of the checkout to run. Default: this one. */
  root?: string | undefined;
  /** Path of the module from the root of the checkout. */
  module: string;
  /** Arguments for Node, placed before the module. */
  nodeArguments?: readonly string[];
  arguments?: readonly string[];
  cwd?: string;
  /** True if it sends a message when it is ready. Otherwise it is ready once it has exited successfully. */
  announcesReady: boolean;
}

/**
 * Starts one of our Node processes with a channel. The process reports readiness over it; if the channel closes, the
 * launcher is gone.
 */
export async function startNodeChild(options: NodeChildOptions): Promise<RunningChild> {
  let signalReady: () => void = () => undefined;
  const whenReady = new Promise<void>((resolve) => {
    signalReady = resolve;
  });
  const { root = projectRoot } = options;
  return await startUnderGuard({
    ...options,
    command: process.execPath,
    args: [...(options.nodeArguments ?? []), join(root, options.module), ...(options.arguments ?? [])],
    cwd: options.cwd ?? root,
    // A service notices the closed channel itself, and takes a second request for impatience.
    signalWhenAlone: options.announcesReady ? '0' : 'TERM',
    stopSignal: 'TERM',
    channel: 'ipc',
    onMessage: (message) => {
      if (typeof message === 'object' && message !== null && 'type' in message) {
        if (message.type === 'ready') signalReady();
      }
    },
    readiness: async (exited) => {
      if (options.announcesReady) return await whenReady;
      const ending = await exited;
      if (ending.code !== 0) throw new Error(`ended with ${describeProcessExit(ending)}`);
    },
  });
}

export interface ProgramOptions extends ChildOptions {
  command: string;
  args: string[];
  cwd: string;
  /** User that the program runs as. Set only if this process is root. */
  user?: { uid: number; gid: number };
  stopSignal: 'INT' | 'TERM';
  /** File that identifies the process across launchers, so that a process without a guard is found again. */
  processFile: string;
  /** Resolves once the program answers. Called after the process exists, and aborted when it ends. */
  probe: (abort: AbortSignal) => Promise<void>;
}

/** Starts a foreign program, which does not know the launcher. */
export async function startProgram(options: ProgramOptions): Promise<RunningChild> {
  await endForgotten(options.processFile);
  const abort = new AbortController();
  const child = await startUnderGuard({
    ...options,
    signalWhenAlone: options.stopSignal,
    channel: 'ignore',
    onMessage: () => undefined,
    readiness: async (exited) => {
      void exited.then(() => {
        abort.abort();
      });
      await options.probe(abort.signal);
    },
  });
  const identity = identifyProcess(child.pid);
  if (identity !== undefined) writeFileSync(options.processFile, JSON.stringify(identity), { mode: 0o600 });
  void child.exited.then(() => {
    // The next one may already have written its own.
    if (identity?.startedAt === readProcessIdentity(options.processFile)?.startedAt) {
      rmSync(options.processFile, { force: true });
    }
  });
  return child;
}

interface GuardedOptions extends ChildOptions {
  command: string;
  args: string[];
  cwd: string;
  user?: { uid: number; gid: number };
  stopSignal: string;
  signalWhenAlone: string;
  channel: 'ipc' | 'ignore';
  onMessage: (message: unknown) => void;
  readiness: (exited: Promise<ProcessExit>) => Promise<void>;
}

/**
 * Starts a program under a guard that ends it when this process is gone. It runs in its own session, so that a Ctrl-C
 * in the terminal reaches only the launcher.
 */
async function startUnderGuard(options: GuardedOptions): Promise<RunningChild> {
  requireLaunchAllowed();
  const graceSeconds = options.graceSeconds ?? 8;
  // The other user may be unable to reach the script's folder, so the file is passed as an open descriptor.
  const script = openSync(join(projectRoot, 'scripts/guard.sh'), 'r');
  const guard = spawn(
    '/bin/sh',
    ['/proc/self/fd/4', options.signalWhenAlone, String(graceSeconds), options.command, ...options.args],
    {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', options.channel, script, 'pipe'],
      ...options.user,
    },
  );
  closeSync(script);
  guard.on('message', options.onMessage);
  guard.stdin?.on('error', () => undefined);
  readLines(guard.stdout, options.onLine);
  readLines(guard.stderr, options.onLine);
  const guardExited = endingOf(guard);

  async function stop(how = `SIG${options.stopSignal}`): Promise<void> {
    guard.stdin?.end(`${how.replace(/^SIG/, '')}\n`);
    await exited;
  }
  const started: { identity?: ProcessIdentity | undefined } = {};
  const exited = guardExited.then(async (ending) => {
    // A guard that was killed leaves its program behind.
    const { identity } = started;
    if (identity !== undefined && isAlive(identity)) {
      sendSignal(identity.pid, options.stopSignal === 'INT' ? 'SIGINT' : 'SIGTERM');
      if (!(await waitUntilGone(identity, graceSeconds * 1000))) sendSignal(identity.pid, 'SIGKILL');
      await waitUntilGone(identity, 2000);
    }
    return ending;
  });
  trackChild(stop, exited);

  const pid = await firstNumber((guard.stdio as unknown[])[5] as Readable);
  const identity = pid === undefined ? undefined : identifyProcess(pid);
  started.identity = identity;
  const ready = Promise.race([
    options.readiness(exited),
    exited.then(async (ending) => {
      // Lets a process that is ready by exiting successfully report that first.
      await setImmediate();
      throw new Error(`ended before it was ready (${describeProcessExit(ending)})`);
    }),
  ]);
  ready.catch(() => undefined);
  return {
    pid: pid ?? 0,
    ready,
    exited,
    stop,
    kill: (name) => {
      if (identity !== undefined) sendSignal(identity.pid, name);
    },
  };
}

/** Formats an exit: "exit code 1", "signal SIGKILL". */
export function describeProcessExit(ending: ProcessExit): string {
  return ending.signal === null ? `exit code ${String(ending.code)}` : `signal ${ending.signal}`;
}

async function endForgotten(processFile: string): Promise<void> {
  const identity = readProcessIdentity(processFile);
  if (identity === undefined) return;
  if (isAlive(identity)) {
    sendSignal(identity.pid, 'SIGINT');
    if (!(await waitUntilGone(identity, 5000))) sendSignal(identity.pid, 'SIGKILL');
    await waitUntilGone(identity, 2000);
  }
  rmSync(processFile, { force: true });
}

function readProcessIdentity(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

function endingOf(guard: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    guard.once('exit', (code, name) => {
      // A shell reports the signal that ended its child as a code above 128.
      const number = (code ?? 0) - 128;
      const known = Object.entries(constants.signals).find(([, value]) => value === number);
      if (known === undefined) resolve({ code, signal: name });
      else resolve({ code: null, signal: known[0] as NodeJS.Signals });
    });
    // The process could not be started, so there is no exit event.
    guard.once('error', () => {
      if (guard.pid === undefined) resolve({ code: 127, signal: null });
    });
  });
}

function readLines(stream: Readable | null, onLine: (line: string) => void): void {
  if (stream === null) return;
  stream.on('error', () => undefined);
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
}

async function firstNumber(stream: Readable): Promise<number | undefined> {
  let text = '';
  try {
    for await (const chunk of stream) text += String(chunk);
  } catch {
    return undefined;
  }
  const pid = Number.parseInt(text, 10);
  return Number.isNaN(pid) ? undefined : pid;
}
