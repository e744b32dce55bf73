import { packError, reportError, type RpcHandler } from '@nolo/kit/rpc';
import { inSpan } from '@nolo/kit/tracing';
import type { ChatServiceService, SendMessageRequest, SendResult } from '@nolo/proto/chat';
import { failChat } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { createSending, type Prepared } from './sendMessage.ts';

const mostMessages = 32;

export function sendMessages(dependencies: Dependencies): RpcHandler<typeof ChatServiceService.sendMessages> {
  const { prepare, send } = createSending(dependencies);
  return async ({ messages, traceparents }, context) => {
    if (messages.length > mostMessages) {
      throw failChat('invalid', 'message_invalid', `At most ${mostMessages} messages are sent in one call.`);
    }
    const last = new Map<string, Promise<unknown>>();
    /** What one person sends stays in its order, also where a file had to be asked about; others wait for nobody. */
    const inTurn = (message: SendMessageRequest): Promise<Prepared> => {
      const before = last.get(message.actorId);
      const ready = prepare(message);
      // Looked at in its turn; that it failed before is no news until then.
      ready.catch(() => undefined);
      const turn = before ? before.then(() => ready) : ready;
      last.set(
        message.actorId,
        turn.catch(() => undefined),
      );
      return turn;
    };
    const results = messages.map(async (message, index): Promise<SendResult> => {
      const work = async () => send(await inTurn(message));
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
