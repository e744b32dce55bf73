import { internalError } from '@nolo/kit/errors';
import { unpackError, type RpcCallOptions } from '@nolo/kit/rpc';
import { bindTrace, sampledTraceparent, untraced } from '@nolo/kit/tracing';
import type { SendMessageRequest, SendResult } from '@nolo/proto/messages';
import type { Message } from '@nolo/proto/conversation';
import type { ChatClient } from '../edge.ts';

/** As many as chat takes in one call. */
const mostMessages = 32;
/** Well below what one call may hold, in characters, of which one may be three bytes. */
const mostCharacters = 524_288;
/** Longer than a call takes where all is well. What waits for one that takes longer goes beside it. */
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

const sizeOf = ({ content }: SendMessageRequest): number => content.length;

function messageOf(result: SendResult | undefined): Message {
  const outcome = result?.outcome;
  if (outcome?.$case === 'message') return outcome.value;
  throw (outcome && unpackError(outcome.value)) ?? internalError(new Error('A message was sent without a result.'));
}

/** What is said in one conversation and has not gone yet. */
interface Queue {
  waiting: Waiting[];
  /** Calls without an answer. */
  underWay: number;
  /** Whether it goes at the end of this turn. */
  isDue: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** In their order, as many in each as a call takes. */
function batchesOf(waiting: readonly Waiting[]): Waiting[][] {
  const batches: Waiting[][] = [];
  let characters = 0;
  for (const one of waiting) {
    const batch = batches.at(-1);
    characters += sizeOf(one.request);
    if (batch && batch.length < mostMessages && characters <= mostCharacters) {
      batch.push(one);
    } else {
      batches.push([one]);
      characters = sizeOf(one.request);
    }
  }
  return batches;
}

/**
 * A call costs both sides more than the message in it, and chat stores what is said in one conversation one statement
 * after the other. What people write there while a call is under way therefore goes together in the next one, which is as
 * soon stored. A message that finds none under way goes at once. Messages of different conversations go apart, so that
 * none waits for another's lock.
 */
export function createMessageSending(chat: Pick<ChatClient, 'sendMessage' | 'sendMessages'>): SendMessage {
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
      // The call itself can be part of one trace only.
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

  /** Lets what comes with the same read of the network go along. */
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
        traceparent: sampledTraceparent(),
        inTrace: bindTrace(),
        resolve,
        reject,
      });
      if (queue.underWay === 0) beDue(conversationId, queue);
      else queue.timer ??= untraced(() => setTimeout(flush, flushAfterMs, conversationId, queue));
    });
}

/** For chat, which goes on with each message in the trace of its own request. */
function tracesOf(batch: readonly Waiting[]): string[] {
  const traced = batch.some(({ traceparent }) => traceparent !== undefined);
  return traced ? batch.map(({ traceparent }) => traceparent ?? '') : [];
}

/** A call for several requests carries the ids of all, so that the log of chat leads to each. */
function callOf(batch: readonly Waiting[]): RpcCallOptions {
  const ids = batch.flatMap(({ requestId }) => requestId ?? []);
  return ids.length > 0 ? { requestId: ids.join(' ') } : {};
}
