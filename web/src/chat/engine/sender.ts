import type { Message, NewMessage } from '@nolo/api';
import type { SendFailure } from '../../api/ports.ts';
import type { ChatCore } from './chatCore.ts';
import { createOutbox } from './outbox.ts';
import type { MessageExtras, UnsentMessage } from './ports.ts';
import { hasFilesHere, type Unsent } from './unsent.ts';

/** Returns the extras of a message in request form. */
function fieldsOf({
  media,
  replyTo,
  forwarded,
  mentions,
  linkPreview,
  hasLink,
  extra,
}: MessageExtras = {}): Partial<NewMessage> {
  return {
    ...media?.fields,
    ...(replyTo && { replyToSeq: replyTo.seq }),
    ...(forwarded && { forwarded }),
    ...(mentions && mentions.length > 0 && { mentions: [...mentions] }),
    ...(linkPreview && { linkPreview }),
    ...(hasLink && { hasLink }),
    ...(extra && { extra }),
  };
}

/** Sends messages to the server, in the one sending tab. `bring` takes those whose files must be uploaded first. */
export function createSender(
  { api, failureOf, patch, tabs, timers }: ChatCore,
  unsent: Unsent,
  { bring, onSent }: { bring(message: UnsentMessage): void; onSent(message: Message): void },
) {
  const { own, settled, tell } = unsent;
  /** Messages that this tab handles as the sending one. */
  const taken = new Map<string, UnsentMessage>();
  const takenOf = ({ clientMessageId = '' }: NewMessage): UnsentMessage | undefined => taken.get(clientMessageId);

  const refuse = (message: UnsentMessage | undefined, { code, message: text }: SendFailure): void => {
    if (!message) return;
    const refused = { ...message, refused: { code, message: text } };
    tell(refused, 'failed');
    taken.delete(message.clientMessageId);
    own.delete(message.clientMessageId);
    void unsent.store(refused);
  };

  const settle = (id: string): void => {
    taken.delete(id);
    settled.add(id);
    void unsent.remove(id);
  };

  const outbox = createOutbox({
    send: (message) => api.sendMessage(message),
    failureOf,
    timers,
    onSending: (message) => tell(takenOf(message), 'sending'),
    onWaiting: (message) => tell(takenOf(message), 'waiting'),
    onFailed: (message, failure) => refuse(takenOf(message), failure),
    onHeld: ({ clientMessageId: id = '', conversationId }) => {
      const message = taken.get(id);
      own.delete(id);
      settle(id);
      // The server sends the exact number to every device, and may already have done so.
      patch(({ heldMessages }) => ({
        heldMessages: { ...heldMessages, [conversationId]: Math.max(heldMessages[conversationId] ?? 0, 1) },
      }));
      if (!message) return;
      unsent.hide(message);
      tabs?.tell({ type: 'discarded', message });
    },
    onSent: (message) => {
      settle(message.clientMessageId ?? '');
      tabs?.tell({ type: 'sent', message });
      onSent(message);
    },
  });

  return {
    take(message: UnsentMessage): void {
      const { clientMessageId, conversationId, content, extras } = message;
      if (taken.has(clientMessageId) || settled.has(clientMessageId)) return;
      if (hasFilesHere(message)) return bring(message);
      taken.set(clientMessageId, message);
      outbox.add({
        conversationId,
        content,
        clientMessageId,
        messageType: 'text',
        encryption: 'none',
        ...fieldsOf(extras),
      });
    },
    refuse,
    flush: () => outbox.flush(),
    stop: () => outbox.stop(),
  };
}
