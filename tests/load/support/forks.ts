import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { types } from 'mediasoup';

export interface WantedSocket {
  token: string;
  /** One of 127.0.0.0/8: an address has some 28,000 ports to connect from, and this many addresses are free. */
  localAddress: string;
}

export type HolderQuestion =
  | { ask: 'open'; url: string; sockets: readonly WantedSocket[]; atOnce: number }
  | { ask: 'frames'; atLeast: number }
  | { ask: 'lost' };

export type BareQuestion = { ask: 'port' } | { ask: 'broadcast'; frame: unknown };

export interface BareHttpQuestion {
  ask: 'listen';
  page: string;
}

export type MediaNodeQuestion =
  | { ask: 'start'; variables: Record<string, string> }
  /** Whether those who join from now on are synthetic. */
  | { ask: 'synthetic'; on: boolean }
  | { ask: 'connect'; transportId: string; ip: string; port: number; srtpParameters: types.SrtpParameters }
  | { ask: 'lost' };

interface Forked<Question> {
  readonly pid: number;
  ask(question: Question): Promise<number>;
  /** Without an answer. */
  tell(question: Question): void;
  stop(): void;
}

function forked<Question extends object>(file: string): Forked<Question> {
  const child: ChildProcess = fork(join(import.meta.dirname, file), {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (child.pid === undefined) throw new Error(`${file} did not start.`);
  return {
    pid: child.pid,
    tell: (question) => void child.send(question),
    ask: (question) =>
      new Promise((resolve, reject) => {
        const onExit = () => reject(new Error(`${file} has ended.`));
        child.once('exit', onExit);
        child.once('message', (answer: { value?: number; error?: string }) => {
          child.off('exit', onExit);
          if (answer.value === undefined) reject(new Error(answer.error));
          else resolve(answer.value);
        });
        child.send(question);
      }),
    stop: () => child.disconnect(),
  };
}

/** A process that holds sockets as clients do. */
export const forkHolder = () => forked<HolderQuestion>('holderProcess.ts');

/** A bare `ws` server, to compare with. */
export const forkBareServer = () => forked<BareQuestion>('bareServerProcess.ts');

/** A bare HTTP server: what the machine and its neighbours make of the least work there can be. */
export const forkBareHttp = () => forked<BareHttpQuestion>('bareHttpProcess.ts');

/** A media node that lets synthetic people in. */
export const forkMediaNode = () => forked<MediaNodeQuestion>('mediaNodeProcess.ts');
