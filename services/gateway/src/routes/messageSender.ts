import { createInternalError } from '@nolo/kit/errors';
import { unpackError, type RpcCallOptions } from '@nolo/kit/rpc';
import { bindTrace, getSampledTraceparent, withoutSpan } from '@nolo/kit/tracing';
import type { SendMessageRequest, SendResult } from '@nolo/proto/messages';
import type { Message } from '@nolo/proto/conversation';
import type { Clients } from '../clients.ts';

/** Maximum messages that chat accepts in one call. */
const maxMessagesPerCall = 32;
/** Maximum characters per call. Stays well below the call's size limit, because a character takes up to three bytes. */
const maxCharactersPerCall = 524_288;
/** Exceeds the normal duration of a call. Messages that wait this long are sent in a parallel call. */
const flushAfterMs = 25;

interface Waiting {
  readonly request: SendMessageRequest;
  readonly requestId: string | undefined;
  readonly traceparent: string | undefined;
  readonly inTrace: ReturnType<typeof bindTrace>;
  readonly resolve: (message: Message) => void;
  readonly reject: (error: unknown) => void;
}

export type SendMessage = (request: SendMessageRequest, call: RpcCallOptions) => Promise<Message>;

const sizeOf = ({ content, sealed }: SendMessageRequest): number => content.length + (sealed?.sealed.length ?? 0);

function messageOf(result: SendResult | undefined): Message {
  const outcome = result?.outcome;
  if (outcome?.$case === 'message') return outcome.value;
  throw (
    (outcome && unpackError(outcome.value)) ?? createInternalError(new Error('chat returned no result for a message.'))
  );
}

/** Messages of one conversation that are not sent yet. */
interface Queue {
  waiting: Waiting[];
  /** Number of calls without a reply. */
  underWay: number;
  /** True if the queue flushes at the end of this turn. */
  isDue: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Splits messages into batches of at most one call each, in order. */
function batchesOf(waiting: readonly Waiting[]): Waiting[][] {
  const batches: Waiting[][] = [];
  let characters = 0;
  for (const one of waiting) {
    const batch = batches.at(-1);
    characters += sizeOf(one.request);
    if (batch && batch.length < maxMessagesPerCall && characters <= maxCharactersPerCall) {
      batch.push(one);
    } else {
      batches.push([one]);
      characters = sizeOf(one.request);
    }
  }
  return batches;
}

/**
 * Batches messages by conversation. A call costs both sides more than its message, and chat stores messages of a
 * conversation one statement at a time. Messages that arrive while a call is in flight therefore share the next call
 * and are stored just as soon. A message without a call in flight is sent at once. Conversations are sent separately,
 * so none waits for another's lock.
 */
export function createBatchingMessageSender(chat: Pick<Clients['chat'], 'sendMessage' | 'sendMessages'>): SendMessage {
  const queues = new Map<string, Queue>();

  const sendAll = async (batch: readonly Waiting[]) => {
    const [first] = batch;
    if (!first) return;
    try {
      if (batch.length === 1) {
        first.resolve(await first.inTrace(() => chat.sendMessage(first.request, callOf(batch))));
        return;
      }
      const messages = batch.map(({ request }) => request);
      // The call itself can belong to only one trace.
      const { inTrace } = batch.find(({ traceparent }) => traceparent !== undefined) ?? first;
      const { results } = await inTrace(() =>
        chat.sendMessages({ messages, traceparents: tracesOf(batch) }, callOf(batch)),
      );
      batch.forEach(({ resolve, reject }, index) => {
        try {
          resolve(messageOf(results[index]));
        } catch (error) {
          reject(error);
        }
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  /** Flushes at the end of the turn, so messages of the same network read share a call. */
  const beDue = (conversationId: string, queue: Queue) => {
    if (queue.isDue) return;
    queue.isDue = true;
    setImmediate(flush, conversationId, queue);
  };

  const flush = (conversationId: string, queue: Queue) => {
    clearTimeout(queue.timer);
    queue.timer = undefined;
    queue.isDue = false;
    const batches = batchesOf(queue.waiting);
    queue.waiting = [];
    queue.underWay += batches.length;
    for (const batch of batches) {
      void sendAll(batch).then(() => {
        queue.underWay -= 1;
        if (queue.underWay > 0) return;
        if (queue.waiting.length > 0) beDue(conversationId, queue);
        else queues.delete(conversationId);
      });
    }
  };

  return (request, { requestId }) =>
    new Promise((resolve, reject) => {
      const { conversationId } = request;
      const queue = queues.get(conversationId) ?? { waiting: [], underWay: 0, isDue: false, timer: undefined };
      queues.set(conversationId, queue);
      queue.waiting.push({
        request,
        requestId,
        traceparent: getSampledTraceparent(),
        inTrace: bindTrace(),
        resolve,
        reject,
      });
      if (queue.underWay === 0) beDue(conversationId, queue);
      else queue.timer ??= withoutSpan(() => setTimeout(flush, flushAfterMs, conversationId, queue));
    });
}

/** Returns the trace parents with which chat continues each message in its own request's trace. */
function tracesOf(batch: readonly Waiting[]): string[] {
  const traced = batch.some(({ traceparent }) => traceparent !== undefined);
  return traced ? batch.map(({ traceparent }) => traceparent ?? '') : [];
}

/** Joins the request IDs of all messages, so chat's log leads to each request. */
function callOf(batch: readonly Waiting[]): RpcCallOptions {
  const ids = batch.flatMap(({ requestId }) => requestId ?? []);
  return ids.length > 0 ? { requestId: ids.join(' ') } : {};
}
