import { packError, reportError, type RpcHandler } from '@nolo/kit/rpc';
import { inSpan } from '@nolo/kit/tracing';
import type { ChatServiceService, SendResult } from '@nolo/proto/chat';
import { failChat } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { sendMessage } from './sendMessage.ts';

const mostMessages = 32;

export function sendMessages(dependencies: Dependencies): RpcHandler<typeof ChatServiceService.sendMessages> {
  const send = sendMessage(dependencies);
  return async ({ messages, traceparents }, context) => {
    if (messages.length > mostMessages) {
      throw failChat('invalid', 'message_invalid', `At most ${mostMessages} messages are sent in one call.`);
    }
    const results = messages.map(async (message, index): Promise<SendResult> => {
      const work = () => send(message, context);
      // Each goes on with its own request's trace; the call is part of that of the first.
      const parent = traceparents[index];
      try {
        const value = await (parent ? inSpan('send message', { parent }, work) : work());
        return { outcome: { $case: 'message', value } };
      } catch (error) {
        return { outcome: { $case: 'error', value: packError(reportError(error, context.log)) } };
      }
    });
    return { results: await Promise.all(results) };
  };
}
