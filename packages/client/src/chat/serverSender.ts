import type { Message, NewMessage, UnapprovedMessageReply } from '@nolo/api';
import { ApiError } from '../http/request.ts';
import type { SendFailure } from '../ports.ts';
import type { ChatCore } from './chatCore.ts';
import { createMessageOutbox } from './messageOutbox.ts';
import type { HeldBack, MessageExtras, UnsentMessage } from './ports.ts';
import { lacksKeys, updateRequiredCode } from './sealedRows.ts';
import { hasLocalFiles, type UnsentMessages } from './unsent.ts';

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

/** Refusal of a message of a sealed conversation, which takes no plain text, on a device without keys. */
const updateRequired = new ApiError(
  409,
  { code: updateRequiredCode, message: 'Update the app to write here.' },
  'update required',
);

/** Sends messages to the server, in the one sending tab. `bring` takes those whose files must be uploaded first. */
export function createServerSender(
  { api, failureOf, patch, sealed, store, tabs, timers }: ChatCore,
  unsent: UnsentMessages,
  { bring, onSent }: { bring(message: UnsentMessage): void; onSent(message: Message): void },
) {
  const { own, settled, showInAllTabs } = unsent;
  /** Messages that this tab handles as the sending one. */
  const taken = new Map<string, UnsentMessage>();
  const takenOf = ({ clientMessageId = '' }: NewMessage): UnsentMessage | undefined => taken.get(clientMessageId);

  const refuse = (message: UnsentMessage | undefined, { code, message: text }: SendFailure): void => {
    if (!message) return;
    const refused = { ...message, refused: { code, message: text } };
    showInAllTabs(refused, 'failed');
    taken.delete(message.clientMessageId);
    own.delete(message.clientMessageId);
    void unsent.store(refused);
  };

  const isClosed = (id: string): boolean => lacksKeys(store.getState(), id);

  const send = async (message: NewMessage): Promise<Message | UnapprovedMessageReply | HeldBack> => {
    if (isClosed(message.conversationId)) throw updateRequired;
    const chats = await sealed.load();
    return chats ? chats.send(message, { ...unsent, taken }) : api.sendMessage(message);
  };

  const settle = (id: string): void => {
    taken.delete(id);
    settled.add(id);
    void unsent.remove(id);
  };

  /** Forgets a message that waits for approval, or waited until its author withdrew it. */
  const forget = ({ clientMessageId: id = '' }: NewMessage): void => {
    const message = taken.get(id);
    own.delete(id);
    settle(id);
    if (!message) return;
    unsent.hide(message);
    tabs?.broadcast({ type: 'discarded', message });
  };

  const outbox = createMessageOutbox({
    send,
    failureOf,
    timers,
    onSending: (message) => showInAllTabs(takenOf(message), 'sending'),
    onWaiting: (message, heldBy) => showInAllTabs(takenOf(message), 'waiting', heldBy),
    onFailed: (message, failure) =>
      failure.code === 'message_withdrawn' ? forget(message) : refuse(takenOf(message), failure),
    onUnapproved: (message) => {
      const { conversationId } = message;
      // The server sends the exact number to every device, and may already have done so.
      patch(({ unapprovedCounts }) => ({
        unapprovedCounts: { ...unapprovedCounts, [conversationId]: Math.max(unapprovedCounts[conversationId] ?? 0, 1) },
      }));
      forget(message);
    },
    onSent: (message) => {
      settle(message.clientMessageId ?? '');
      tabs?.broadcast({ type: 'sent', message });
      onSent(message);
    },
  });

  return {
    take(message: UnsentMessage): void {
      const { clientMessageId, conversationId, content, extras, tappedAt } = message;
      const known = taken.get(clientMessageId);
      if (known && tappedAt !== undefined && known.tappedAt !== tappedAt) {
        taken.set(clientMessageId, { ...known, tappedAt });
        return outbox.resume(conversationId);
      }
      if (known || settled.has(clientMessageId)) return;
      // Checked here, before files are uploaded for nothing, and again when it is sent, because rows may arrive later.
      if (isClosed(conversationId)) return refuse(message, updateRequired);
      if (hasLocalFiles(message)) return bring(message);
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
    /** Forgets a message that the user discarded. */
    drop(message: UnsentMessage): void {
      taken.delete(message.clientMessageId);
      outbox.remove(message);
    },
    flush: () => outbox.flush(),
    resume: (conversationId: string | null) => outbox.resume(conversationId),
    stop: () => outbox.stop(),
  };
}
