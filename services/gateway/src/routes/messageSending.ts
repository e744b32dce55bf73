import { internalError } from '@nolo/kit/errors';
import { unpackError, type RpcCallOptions } from '@nolo/kit/rpc';
import { bindTrace, sampledTraceparent } from '@nolo/kit/tracing';
import type { SendMessageRequest, SendResult } from '@nolo/proto/chat';
import type { Message } from '@nolo/proto/conversation';
import type { ChatClient } from '../edge.ts';

/** As many as chat takes in one call. */
const mostMessages = 32;
/** Well below what one call may hold, in characters, of which one may be three bytes. */
const mostCharacters = 524_288;

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

/**
 * A call costs both sides more than the message in it. What people write to one conversation in the same turn of the
 * event loop therefore goes in one call: nobody waits for it, and chat stores it in one statement anyway. Messages of
 * different conversations go apart, so that none waits for another's lock.
 */
export function createMessageSending(chat: Pick<ChatClient, 'sendMessage' | 'sendMessages'>): SendMessage {
  const batches = new Map<string, Waiting[]>();

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

  const flush = (conversationId: string) => {
    const waiting = batches.get(conversationId) ?? [];
    batches.delete(conversationId);
    let batch: Waiting[] = [];
    let characters = 0;
    for (const one of waiting) {
      characters += sizeOf(one.request);
      if (batch.length > 0 && (batch.length >= mostMessages || characters > mostCharacters)) {
        void sendAll(batch);
        batch = [];
        characters = sizeOf(one.request);
      }
      batch.push(one);
    }
    void sendAll(batch);
  };

  return (request, { requestId }) =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = {
        request,
        requestId,
        traceparent: sampledTraceparent(),
        inTrace: bindTrace(),
        resolve,
        reject,
      };
      const batch = batches.get(request.conversationId);
      if (batch) {
        batch.push(waiting);
        return;
      }
      batches.set(request.conversationId, [waiting]);
      setImmediate(flush, request.conversationId);
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
