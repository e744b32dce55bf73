import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { RecordedPicture } from './Face.ts';
import type { Received } from './SyntheticPeer.ts';

export interface WantedSocket {
  token: string;
  /** One of 127.0.0.0/8: an address has some 28,000 ports to connect from, and this many addresses are free. */
  localAddress: string;
}

export type HolderQuestion =
  | { ask: 'open'; url: string; sockets: readonly WantedSocket[]; atOnce: number }
  | { ask: 'frames'; atLeast: number }
  | { ask: 'lost' };

export type MembersQuestion =
  | { ask: 'open'; url: string; sockets: readonly WantedSocket[]; atOnce: number }
  /** What reached every socket since it was last asked, as soon as it is so many messages. */
  | { ask: 'arrivals'; count: number; withinMs: number }
  /** Every socket says within this time that it read so far; the answer comes when each of them is answered. */
  | { ask: 'read'; conversationId: string; readSeq: number; withinMs: number };

/** When a message reached the first and the last of all sockets, by the wall clock. */
export interface Arrival {
  /** Its clientMessageId. */
  id: string;
  first: number;
  last: number;
}

export type BareQuestion =
  | { ask: 'port' }
  | { ask: 'broadcast'; frame: unknown }
  /** Answers with the wall clock's time right before the first socket is written to. */
  | { ask: 'broadcastAt'; frame: unknown };

export interface BareHttpQuestion {
  ask: 'listen';
  /** The first is the answer to `/`, the others to `/1` and so on. */
  pages: readonly string[];
}

export interface FileServerQuestion {
  folder: string;
}

export type PlatformQuestion =
  | { ask: 'listen'; takesMs: number }
  /** What it was asked since the last time, as soon as it is so much. */
  | { ask: 'calls'; count: number; withinMs: number };

/** A post that reached the platform, by the wall clock. */
export interface PlatformCall {
  text: string;
  begun: number;
  ended: number;
}

export interface BarePublisherQuestion {
  redisUrl: string;
  platformUrl: string;
  concurrency: number;
}

export type MediaNodeQuestion =
  | { ask: 'start'; variables: Record<string, string> }
  /** Whether those who join from now on are synthetic. */
  | { ask: 'synthetic'; on: boolean }
  /** The port at which transports of synthetic people are connected, from whatever process these are in. */
  | { ask: 'door' };

export type CrowdQuestion =
  /** The recording by layer. */
  | { ask: 'open'; recording: readonly RecordedPicture[][]; framerate: number }
  | { ask: 'join'; url: string; tokens: readonly string[]; roomCode: string; nodeUrl: string }
  /** Of everybody in the meeting without a browser, in one order for all processes. */
  | { ask: 'send'; all: readonly string[]; microphones: number }
  | { ask: 'look'; all: readonly string[] }
  | { ask: 'play' | 'received' | 'stop' };

/** What the question was about, and nothing else. */
export interface CrowdAnswer {
  /** Of its media worker. */
  pid?: number;
  ids?: string[];
  /** Pictures that a camera has played, on an average. */
  played?: number;
  video?: Received;
  audio?: Received;
}

interface Forked<Question, Answer> {
  readonly pid: number;
  ask(question: Question): Promise<Answer>;
  /** Without an answer. */
  tell(question: Question): void;
  stop(): void;
}

function forked<Question extends object, Answer = number>(file: string): Forked<Question, Answer> {
  const child: ChildProcess = fork(join(import.meta.dirname, file), {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (child.pid === undefined) throw new Error(`${file} did not start.`);
  const askNow = (question: Question) =>
    new Promise<Answer>((resolve, reject) => {
      const onExit = () => reject(new Error(`${file} has ended.`));
      child.once('exit', onExit);
      child.once('message', (answer: { value?: Answer; error?: string }) => {
        child.off('exit', onExit);
        if (answer.value === undefined) reject(new Error(answer.error));
        else resolve(answer.value);
      });
      child.send(question);
    });
  let last: Promise<unknown> = Promise.resolve();
  return {
    pid: child.pid,
    tell: (question) => void child.send(question),
    // One thing at a time, for an answer does not say what it is the answer to.
    ask: (question) => {
      const answer = last.then(() => askNow(question));
      last = answer.catch(() => undefined);
      return answer;
    },
    stop: () => child.disconnect(),
  };
}

/** A process that holds sockets as clients do. */
export const forkHolder = () => forked<HolderQuestion>('holderProcess.ts');

/** A process that holds the sockets of a group's members and tells when a message has reached all of them. */
export const forkMembers = () => forked<MembersQuestion, readonly Arrival[]>('membersProcess.ts');

/** A bare `ws` server, to compare with. */
export const forkBareServer = () => forked<BareQuestion>('bareServerProcess.ts');

/** A bare HTTP server: what the machine and its neighbours make of the least work there can be. */
export const forkBareHttp = () => forked<BareHttpQuestion>('bareHttpProcess.ts');

/** A bare file server; the answer is its port. */
export const forkFileServer = () => forked<FileServerQuestion>('fileServerProcess.ts');

/** A social platform that takes its time; the answer is its port, or the calls. */
export const forkFakePlatform = () => forked<PlatformQuestion, number | PlatformCall[]>('fakePlatformProcess.ts');

/** A bare BullMQ worker that posts there; the answer is its process. */
export const forkBarePublisher = () => forked<BarePublisherQuestion>('barePublisherProcess.ts');

/** A media node that lets synthetic people in. */
export const forkMediaNode = () => forked<MediaNodeQuestion>('mediaNodeProcess.ts');

/** A process of synthetic people. */
export const forkCrowd = () => forked<CrowdQuestion, CrowdAnswer>('crowdProcess.ts');
