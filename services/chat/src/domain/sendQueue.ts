import { batchCallsByKey } from '@nolo/kit/batchCalls';
import type { ConversationId } from '@nolo/kit/ids';
import { sendContended } from '../errors.ts';
import type { MessageDraft } from './message.ts';
import type { AppendOutcome, MessageStore } from './ports.ts';

/** Maximum size of one statement; further drafts wait for the next one. */
const maxDraftsPerStatement = 128;
const maxBytesPerStatement = 1_048_576;

const maxWaiting = 2_048;

/** Runs work in the trace of the request that it belongs to. */
export type RunInTrace = <T>(work: () => T) => T;

interface Sending {
  readonly draft: MessageDraft;
  readonly inTrace: RunInTrace;
}

/**
 * Batches messages. They are numbered under the lock of their conversation's row, which is held until the commit is on
 * disk. One at a time, a busy conversation would be limited by the disk. Messages that arrive during one transaction go
 * together into the next.
 */
export function createSendQueue(
  append: MessageStore['append'],
  now: () => Date,
  bindTrace: () => RunInTrace = () => (work) => work(),
) {
  const queue = batchCallsByKey<ConversationId, Sending, AppendOutcome>({
    run: (conversationId, batch) => {
      // The statement serves several requests but can be part of only one trace.
      const traced = batch.find(({ draft }) => draft.traceparent !== undefined) ?? batch[0];
      const drafts = batch.map(({ draft }) => draft);
      const store = () => append(conversationId, drafts, now());
      return traced ? traced.inTrace(store) : store();
    },
    max: maxDraftsPerStatement,
    weight: {
      of: ({ draft: { content, seal } }) => content.length + 2 * (seal?.sealed.length ?? 0),
      max: maxBytesPerStatement,
    },
    queueLimit: { max: maxWaiting, refusal: sendContended },
  });

  return {
    /** Messages that wait for the statement before theirs. */
    waiting: queue.waiting,
    send: (conversationId: ConversationId, draft: MessageDraft): Promise<AppendOutcome> =>
      queue.add(conversationId, { draft, inTrace: bindTrace() }),
  };
}

export type SendQueue = ReturnType<typeof createSendQueue>;
