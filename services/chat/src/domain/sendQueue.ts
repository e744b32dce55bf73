import type { ConversationId } from '@nolo/kit/ids';
import { sendContended } from '../errors.ts';
import type { Draft } from './message.ts';
import type { AppendOutcome, MessageStore } from './ports.ts';

/** As much as one statement takes on: what is larger waits for the next one. */
const mostDrafts = 128;
const mostBytes = 1_048_576;

/** Whoever comes after so many in one conversation is turned away: nobody would wait for so long an answer. */
const mostWaiting = 2_048;

/** Runs work as a part of the request that it was made for. */
export type InTrace = <T>(work: () => T) => T;

interface Waiting {
  readonly draft: Draft;
  readonly inTrace: InTrace;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Messages of one conversation are numbered under the lock of its row, which is held until the disk has the commit: one
 * at a time, a lively conversation would be as fast as the disk turns. So while one transaction is under way, what
 * arrives for the same conversation waits and goes together in the next one. A message that finds nothing under way
 * goes at once, so a quiet conversation waits for nothing.
 */
export function createSendQueue(
  append: MessageStore['append'],
  now: () => Date,
  bindTrace: () => InTrace = () => (work) => work(),
) {
  let waiting = 0;
  const queues = new Map<ConversationId, Waiting[]>();

  const take = (queue: Waiting[]): Waiting[] => {
    let count = 0;
    let bytes = 0;
    for (const { draft } of queue) {
      bytes += draft.content.length + (draft.voiceMessageTranscription?.length ?? 0);
      if (count > 0 && (count >= mostDrafts || bytes > mostBytes)) break;
      count += 1;
    }
    return queue.splice(0, count);
  };

  const drain = async (conversationId: ConversationId, queue: Waiting[]) => {
    while (queue.length > 0) {
      // Requests that came with the same read of the socket are handed out one after the other; all of them go along.
      await new Promise(setImmediate);
      const batch = take(queue);
      waiting -= batch.length;
      // One statement for several requests; it can be part of the trace of one of them only.
      const traced = batch.find(({ draft }) => draft.traceparent !== undefined) ?? batch[0];
      try {
        const drafts = batch.map(({ draft }) => draft);
        const store = () => append(conversationId, drafts, now());
        const outcomes = await (traced ? traced.inTrace(store) : store());
        batch.forEach(({ resolve, reject }, index) => {
          const outcome = outcomes[index];
          if (outcome) resolve(outcome);
          else reject(new Error('The store answered fewer outcomes than it was given drafts.'));
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    queues.delete(conversationId);
  };

  return {
    /** Messages that wait for the statement before theirs. */
    waiting: () => waiting,

    send(conversationId: ConversationId, draft: Draft): Promise<AppendOutcome> {
      return new Promise((resolve, reject) => {
        const queue = queues.get(conversationId);
        if (queue && queue.length >= mostWaiting) {
          reject(sendContended());
          return;
        }
        const one: Waiting = { draft, inTrace: bindTrace(), resolve, reject };
        waiting += 1;
        if (queue) {
          queue.push(one);
          return;
        }
        const started = [one];
        queues.set(conversationId, started);
        void drain(conversationId, started);
      });
    },
  };
}

export type SendQueue = ReturnType<typeof createSendQueue>;
