import { gatherBy } from '@nolo/kit/gather';
import type { ConversationId } from '@nolo/kit/ids';
import { sendContended } from '../errors.ts';
import type { Draft } from './message.ts';
import type { AppendOutcome, MessageStore } from './ports.ts';

/** As much as one statement takes on: what is larger waits for the next one. */
const mostDrafts = 128;
const mostBytes = 1_048_576;

const mostWaiting = 2_048;

/** Runs work as a part of the request that it was made for. */
export type InTrace = <T>(work: () => T) => T;

interface Sending {
  readonly draft: Draft;
  readonly inTrace: InTrace;
}

/**
 * Messages of one conversation are numbered under the lock of its row, which is held until the disk has the commit: one
 * at a time, a lively conversation would be as fast as the disk turns. So what arrives while one transaction is under way
 * goes together in the next.
 */
export function createSendQueue(
  append: MessageStore['append'],
  now: () => Date,
  bindTrace: () => InTrace = () => (work) => work(),
) {
  const queue = gatherBy<ConversationId, Sending, AppendOutcome>({
    run: (conversationId, batch) => {
      // One statement for several requests; it can be part of the trace of one of them only.
      const traced = batch.find(({ draft }) => draft.traceparent !== undefined) ?? batch[0];
      const drafts = batch.map(({ draft }) => draft);
      const store = () => append(conversationId, drafts, now());
      return traced ? traced.inTrace(store) : store();
    },
    most: mostDrafts,
    weight: {
      of: ({ draft }) => draft.content.length,
      most: mostBytes,
    },
    crowd: { most: mostWaiting, refusal: sendContended },
  });

  return {
    /** Messages that wait for the statement before theirs. */
    waiting: queue.waiting,
    send: (conversationId: ConversationId, draft: Draft): Promise<AppendOutcome> =>
      queue.add(conversationId, { draft, inTrace: bindTrace() }),
  };
}

export type SendQueue = ReturnType<typeof createSendQueue>;
