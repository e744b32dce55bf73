import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { RecordedPicture } from './SyntheticCamera.ts';
import type { Received } from './SyntheticPeer.ts';

export interface WantedSocket {
  token: string;
  /** Address in 127.0.0.0/8: an address has about 28,000 ports to connect from, and many addresses are free. */
  localAddress: string;
}

export type HolderQuestion =
  | { ask: 'open'; url: string; sockets: readonly WantedSocket[]; atOnce: number }
  | { ask: 'frames'; atLeast: number }
  | { ask: 'lost' };

export type MembersQuestion =
  | { ask: 'open'; url: string; sockets: readonly WantedSocket[]; atOnce: number }
  /** Returns what reached every socket since the last query, once there are this many messages. */
  | { ask: 'arrivals'; count: number; withinMs: number }
  /** Makes every socket send a read cursor within this time; the answer comes after all of them are acknowledged. */
  | { ask: 'read'; conversationId: string; readSeq: number; withinMs: number };

/** Times at which a message reached the first and the last of all sockets, by the wall clock. */
export interface Arrival {
  /** Message's clientMessageId. */
  id: string;
  first: number;
  last: number;
}

export type BareQuestion =
  | { ask: 'port' }
  | { ask: 'broadcast'; frame: unknown }
  /** Returns the wall-clock time right before the first socket is written to. */
  | { ask: 'broadcastAt'; frame: unknown };

export interface BareHttpQuestion {
  ask: 'listen';
  /** Answers: the first to `/`, the others to `/1` and so on. */
  pages: readonly string[];
}

export interface FileServerQuestion {
  folder: string;
}

export type PlatformQuestion =
  | { ask: 'listen'; takesMs: number }
  /** Returns the calls since the last query, once there are this many. */
  | { ask: 'calls'; count: number; withinMs: number };

/** Post that reached the platform, by the wall clock. */
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
  /** Sets whether participants who join from now on are synthetic. */
  | { ask: 'synthetic'; on: boolean }
  /** Returns the port at which transports of synthetic participants connect, from any process. */
  | { ask: 'door' };

export type SyntheticParticipantsQuestion =
  /** Opens the crowd, with the recording by layer. */
  | { ask: 'open'; recording: readonly RecordedPicture[][]; framerate: number }
  | { ask: 'join'; url: string; tokens: readonly string[]; roomCode: string; nodeUrl: string }
  /** Sends media. `all` lists the participants without a browser in the same order for all processes. */
  | { ask: 'send'; all: readonly string[]; microphones: number }
  | { ask: 'view'; all: readonly string[] }
  | { ask: 'play' | 'received' | 'stop' };

/** Fields that the question is about; all others are absent. */
export interface SyntheticParticipantsAnswer {
  /** Process id of its media worker. */
  pid?: number;
  ids?: string[];
  /** Average number of frames that a camera has played. */
  played?: number;
  video?: Received;
  audio?: Received;
}

interface Forked<Question, Answer> {
  readonly pid: number;
  ask(question: Question): Promise<Answer>;
  /** Sends a question without waiting for an answer. */
  post(question: Question): void;
  stop(): void;
}

function forked<Question extends object, Answer = number>(file: string): Forked<Question, Answer> {
  const child: ChildProcess = fork(join(import.meta.dirname, file), {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (child.pid === undefined) throw new Error(`${file} did not start.`);
  const askImmediately = (question: Question) =>
    new Promise<Answer>((resolve, reject) => {
      const onExit = () => reject(new Error(`${file} has exited.`));
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
    post: (question) => void child.send(question),
    // Sends one question at a time, because an answer does not name its question.
    ask: (question) => {
      const answer = last.then(() => askImmediately(question));
      last = answer.catch(() => undefined);
      return answer;
    },
    stop: () => child.disconnect(),
  };
}

/** Forks a process that holds sockets as clients do. */
export const forkHolder = () => forked<HolderQuestion>('holderProcess.ts');

/** Forks a process that holds the sockets of a group's members and reports when a message has reached all of them. */
export const forkMembers = () => forked<MembersQuestion, readonly Arrival[]>('membersProcess.ts');

/** Forks a bare `ws` server, for comparison. */
export const forkBareServer = () => forked<BareQuestion>('bareServerProcess.ts');

/** Forks a bare HTTP server: the baseline of the machine and its neighbors for minimal work. */
export const forkBareHttp = () => forked<BareHttpQuestion>('bareHttpProcess.ts');

/** Forks a bare file server; the answer is its port. */
export const forkFileServer = () => forked<FileServerQuestion>('fileServerProcess.ts');

/** Forks a slow social platform; the answer is its port, or the calls. */
export const forkFakePlatform = () => forked<PlatformQuestion, number | PlatformCall[]>('fakePlatformProcess.ts');

/** Forks a bare BullMQ worker that posts there; the answer is its process id. */
export const forkBarePublisher = () => forked<BarePublisherQuestion>('barePublisherProcess.ts');

/** Forks a media node that admits synthetic participants. */
export const forkMediaNode = () => forked<MediaNodeQuestion>('mediaNodeProcess.ts');

/** Forks a process of synthetic participants. */
export const forkSyntheticParticipants = () =>
  forked<SyntheticParticipantsQuestion, SyntheticParticipantsAnswer>('syntheticParticipantsProcess.ts');
