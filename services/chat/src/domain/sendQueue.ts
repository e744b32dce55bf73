import type { ConversationId } from '@nolo/kit/ids';
import { sendContended } from '../errors.ts';
import type { Draft } from './message.ts';
import type { AppendOutcome, MessageStore } from './ports.ts';

/** As much as one statement takes on: what is larger waits for the next one. */
const mostDrafts = 128;
const mostBytes = 1_048_576;

/** Whoever comes after so many in one conversation is turned away: nobody would wait for so long an answer. */
const mostWaiting = 2_048;

interface Waiting {
  readonly draft: Draft;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Messages of one conversation are numbered under the lock of its row, which is held until the disk has the commit: one
 * at a time, a lively conversation would be as fast as the disk turns. So while one transaction is under way, what
 * arrives for the same conversation waits and goes together in the next one. A message that finds nothing under way
 * goes at once, so a quiet conversation waits for nothing.
 */
export function createSendQueue(append: MessageStore['append'], now: () => Date) {
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
      try {
        const outcomes = await append(
          conversationId,
          batch.map(({ draft }) => draft),
          now(),
        );
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
    send(conversationId: ConversationId, draft: Draft): Promise<AppendOutcome> {
      return new Promise((resolve, reject) => {
        const queue = queues.get(conversationId);
        if (queue && queue.length >= mostWaiting) {
          reject(sendContended());
          return;
        }
        if (queue) {
          queue.push({ draft, resolve, reject });
          return;
        }
        const started = [{ draft, resolve, reject }];
        queues.set(conversationId, started);
        void drain(conversationId, started);
      });
    },
  };
}

export type SendQueue = ReturnType<typeof createSendQueue>;
