import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { RecordedCameraFrame } from './SyntheticCamera.ts';
import type { ReceivedPackets } from './SyntheticPeer.ts';

export interface ClientSocketOptions {
  token: string;
  /** Address in 127.0.0.0/8: an address has about 28,000 ports to connect from, and many addresses are free. */
  localAddress: string;
}

export type SocketHolderCommand =
  | { ask: 'open'; url: string; sockets: readonly ClientSocketOptions[]; atOnce: number }
  | { ask: 'frames'; atLeast: number }
  | { ask: 'lost' };

export type GroupMembersCommand =
  | { ask: 'open'; url: string; sockets: readonly ClientSocketOptions[]; atOnce: number }
  /** Returns what reached every socket since the last query, once there are this many messages. */
  | { ask: 'arrivals'; count: number; withinMs: number }
  /** Makes every socket send a read cursor within this time; the answer comes after all of them are acknowledged. */
  | { ask: 'read'; conversationId: string; readSeq: number; withinMs: number };

/** Times at which a message reached the first and the last of all sockets, by the wall clock. */
export interface MessageArrival {
  /** Message's clientMessageId. */
  id: string;
  first: number;
  last: number;
}

export type BareServerCommand =
  | { ask: 'port' }
  | { ask: 'broadcast'; frame: unknown }
  /** Returns the wall-clock time right before the first socket is written to. */
  | { ask: 'broadcastAt'; frame: unknown };

export interface BareHttpCommand {
  ask: 'listen';
  /** Answers: the first to `/`, the others to `/1` and so on. */
  pages: readonly string[];
}

export interface FileServerCommand {
  folder: string;
}

export type FakeSocialPlatformCommand =
  | { ask: 'listen'; takesMs: number }
  /** Returns the calls since the last query, once there are this many. */
  | { ask: 'calls'; count: number; withinMs: number };

/** Post that reached the platform, by the wall clock. */
export interface FakeSocialPlatformPost {
  text: string;
  begun: number;
  ended: number;
}

export interface BaselineSocialPublisherCommand {
  redisUrl: string;
  platformUrl: string;
  concurrency: number;
}

export type MediaNodeCommand =
  | { ask: 'start'; variables: Record<string, string> }
  /** Sets whether participants who join from now on are synthetic. */
  | { ask: 'synthetic'; on: boolean }
  /** Returns the port at which transports of synthetic participants connect, from any process. */
  | { ask: 'address' };

export type SyntheticParticipantsCommand =
  /** Opens the synthetic participants, with the recording by layer. */
  | { ask: 'open'; recording: readonly RecordedCameraFrame[][]; framerate: number }
  | { ask: 'join'; url: string; tokens: readonly string[]; roomCode: string; nodeUrl: string }
  /** Sends media. `all` lists the participants without a browser in the same order for all processes. */
  | { ask: 'send'; all: readonly string[]; microphones: number }
  | { ask: 'view'; all: readonly string[] }
  | { ask: 'play' | 'received' | 'stop' };

/** Fields that the question is about; all others are absent. */
export interface SyntheticParticipantsReply {
  /** Process id of its media worker. */
  pid?: number;
  ids?: string[];
  /** Average number of frames that a camera has played. */
  played?: number;
  video?: ReceivedPackets;
  audio?: ReceivedPackets;
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
export const forkSocketHolder = () => forked<SocketHolderCommand>('holderProcess.ts');

/** Forks a process that holds the sockets of a group's members and reports when a message has reached all of them. */
export const forkGroupMembers = () => forked<GroupMembersCommand, readonly MessageArrival[]>('membersProcess.ts');

/** Forks a bare `ws` server, for comparison. */
export const forkBareServer = () => forked<BareServerCommand>('bareServerProcess.ts');

/** Forks a bare HTTP server: the baseline of the machine and its neighbors for minimal work. */
export const forkBareHttp = () => forked<BareHttpCommand>('bareHttpProcess.ts');

/** Forks a bare file server; the answer is its port. */
export const forkFileServer = () => forked<FileServerCommand>('fileServerProcess.ts');

/** Forks a slow social platform; the answer is its port, or the calls. */
export const forkFakeSocialPlatform = () =>
  forked<FakeSocialPlatformCommand, number | FakeSocialPlatformPost[]>('fakePlatformProcess.ts');

/** Forks a bare BullMQ worker that posts there; the answer is its process id. */
export const forkBaselineSocialPublisher = () => forked<BaselineSocialPublisherCommand>('barePublisherProcess.ts');

/** Forks a media node that admits synthetic participants. */
export const forkMediaNode = () => forked<MediaNodeCommand>('mediaNodeProcess.ts');

/** Forks a process of synthetic participants. */
export const forkSyntheticParticipants = () =>
  forked<SyntheticParticipantsCommand, SyntheticParticipantsReply>('syntheticParticipantsProcess.ts');
