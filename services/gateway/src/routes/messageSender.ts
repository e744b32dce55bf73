import { batchCallsByKey } from '@nolo/kit/batchCalls';
import { createInternalError } from '@nolo/kit/errors';
import { unpackError, type RpcCallOptions } from '@nolo/kit/rpc';
import { bindTrace, getSampledTraceparent } from '@nolo/kit/tracing';
import type { SendMessageRequest, SendResult } from '@nolo/proto/messages';
import type { Message } from '@nolo/proto/conversation';
import type { Clients } from '../clients.ts';

/** Maximum messages that chat accepts in one call. */
const maxMessagesPerCall = 32;
/** Maximum characters per call. Stays well below the call's size limit, because a character takes up to three bytes. */
const maxCharactersPerCall = 524_288;
/** Exceeds the normal duration of a call. Messages that wait this long are sent in a parallel call. */
const parallelAfterMs = 25;

interface Outgoing {
  readonly request: SendMessageRequest;
  readonly requestId: string | undefined;
  readonly traceparent: string | undefined;
  readonly inTrace: ReturnType<typeof bindTrace>;
}

export type SendMessage = (request: SendMessageRequest, call: RpcCallOptions) => Promise<Message>;

function messageOf({ outcome }: SendResult): Message {
  if (outcome?.$case === 'message') return outcome.value;
  throw (
    (outcome && unpackError(outcome.value)) ?? createInternalError(new Error('chat returned no result for a message.'))
  );
}

/**
 * Batches messages by conversation. A call costs both sides more than its message, and chat stores messages of a
 * conversation one statement at a time. Messages that arrive while a call is in flight therefore share the next call
 * and are stored just as soon. Conversations are sent separately, so none waits for another's lock.
 */
export function createBatchingMessageSender(chat: Pick<Clients['chat'], 'sendMessage' | 'sendMessages'>): SendMessage {
  const { add } = batchCallsByKey<string, Outgoing, SendResult>({
    run: async (_, batch) => {
      // The call itself can belong to only one trace.
      const traced = batch.find(({ traceparent }) => traceparent !== undefined) ?? batch[0];
      if (!traced) return [];
      return traced.inTrace(async () => {
        if (batch.length === 1) {
          const message = await chat.sendMessage(traced.request, callOf(batch));
          return [{ outcome: { $case: 'message', value: message } }];
        }
        const messages = batch.map(({ request }) => request);
        const { results } = await chat.sendMessages({ messages, traceparents: tracesOf(batch) }, callOf(batch));
        return results;
      });
    },
    max: maxMessagesPerCall,
    weight: {
      of: ({ request: { content, sealed } }) => content.length + (sealed?.sealed.length ?? 0),
      max: maxCharactersPerCall,
    },
    parallelAfterMs,
  });

  return async (request, { requestId }) =>
    messageOf(
      await add(request.conversationId, {
        request,
        requestId,
        traceparent: getSampledTraceparent(),
        inTrace: bindTrace(),
      }),
    );
}

/** Returns the trace parents with which chat continues each message in its own request's trace. */
function tracesOf(batch: readonly Outgoing[]): string[] {
  const traced = batch.some(({ traceparent }) => traceparent !== undefined);
  return traced ? batch.map(({ traceparent }) => traceparent ?? '') : [];
}

/** Joins the request IDs of all messages, so chat's log leads to each request. */
function callOf(batch: readonly Outgoing[]): RpcCallOptions {
  const ids = batch.flatMap(({ requestId }) => requestId ?? []);
  return ids.length > 0 ? { requestId: ids.join(' ') } : {};
}
