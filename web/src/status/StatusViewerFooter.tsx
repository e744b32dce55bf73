import { routes, type StatusAuthor, type StatusUpdate } from '@nolo/api';
import { Eye, SendHorizontal } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useSelf } from '../session/self.ts';
import { useFormStateAcrossNavigation } from '../session/useFormStateAcrossNavigation.ts';
import { Button } from '../ui/Button.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { PlainIconButton } from '../ui/PlainIconButton.tsx';
import { call } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { toStatusQuote } from '@nolo/client/chat/statusQuote';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

const ViewersDialog = lazyDialog(async () => (await import('./ViewersDialog.tsx')).ViewersDialog);

export interface StatusViewerFooterProps {
  status: StatusUpdate;
  author: StatusAuthor;
  own: boolean;
  onBusy: (busy: boolean) => void;
}

/** Caption of a picture, and below it the viewers or a reply field. */
export function StatusViewerFooter({ status, author, own, onBusy }: StatusViewerFooterProps) {
  const { mediaType, content } = status;
  return (
    <footer className="shrink-0 pb-[max(env(safe-area-inset-bottom),0.75rem)]">
      {mediaType !== 'text' && content !== '' && (
        <p
          dir="auto"
          className="max-h-28 overflow-y-auto px-5 pt-3 text-center text-15 wrap-anywhere whitespace-pre-wrap"
        >
          {content}
        </p>
      )}
      {own ? <Seen status={status} onBusy={onBusy} /> : <Reply status={status} author={author} onBusy={onBusy} />}
    </footer>
  );
}

function Seen({ status, onBusy }: Pick<StatusViewerFooterProps, 'status' | 'onBusy'>) {
  const { t } = useTexts(statusTexts);
  const { shareReceipts } = useSelf();
  const [isOpen, setOpen] = useState(false);
  const open = (next: boolean) => {
    setOpen(next);
    onBusy(next);
  };
  return (
    <div className="flex justify-center pt-3">
      <Button
        kind="quiet"
        className="text-[#fff]! hover:bg-[rgb(255_255_255/0.14)]!"
        icon={<Eye aria-hidden="true" />}
        onClick={() => open(true)}
      >
        {shareReceipts ? t('status:views', { count: status.viewCount }) : t('status:viewsOff')}
      </Button>
      {isOpen && <ViewersDialog status={status} onClose={() => open(false)} />}
    </div>
  );
}

/** Quick reactions, as in a chat. */
const reactions = ['❤️', '😂', '😮', '😢', '🙏', '👍'];

/** Replies with a message that quotes the status update, in the conversation with its author. */
function Reply({ status, author, onBusy }: Omit<StatusViewerFooterProps, 'own'>) {
  const { t } = useTexts(statusTexts);
  const [text, setText] = useFormStateAcrossNavigation(`reply ${status.id}`, '');
  const { engine } = useChat();
  const name = author.displayName;
  const sending = useAction(
    async (words: string) => {
      const { conversations } = engine.store.getState();
      let id = Object.values(conversations).find(
        ({ otherUser, isReplaced }) => otherUser?.id === author.id && !isReplaced,
      )?.id;
      if (id === undefined) {
        const conversation = await call(routes.startConversation, { body: { otherUserId: author.id } });
        engine.addConversation(conversation);
        id = conversation.id;
      }
      // A reply in a known conversation may also wait for the connection.
      engine.send(id, words, { extra: { status: toStatusQuote(status) } });
      toast({ kind: 'success', title: t('status:viewer.sent', { name }) });
      setText('');
      onBusy(false);
    },
    { failure: t('status:viewer.sendFailed') },
  );
  const send = (words: string) => {
    if (words.trim() !== '' && !sending.busy) void sending.run(words.trim());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(text);
  };
  return (
    <div className="flex flex-col gap-2 px-3 pt-3">
      <div className="flex justify-center gap-1">
        {reactions.map((emoji) => (
          <button
            key={emoji}
            type="button"
            aria-label={t('status:viewer.react', { emoji })}
            disabled={sending.busy}
            onClick={() => send(emoji)}
            className="flex size-11 items-center justify-center rounded-full text-20 hover:bg-[rgb(255_255_255/0.14)] disabled:opacity-50"
          >
            {emoji}
          </button>
        ))}
      </div>
      <form onSubmit={submit} className="flex items-center gap-1">
        <input
          value={text}
          onChange={(event) => setText(event.target.value)}
          onFocus={() => onBusy(true)}
          onBlur={() => onBusy(false)}
          aria-label={t('status:viewer.reply', { name })}
          placeholder={t('status:viewer.reply', { name })}
          maxLength={2_000}
          dir="auto"
          autoComplete="off"
          enterKeyHint="send"
          className="h-11 min-w-0 flex-1 rounded-full border border-[rgb(255_255_255/0.4)] bg-transparent px-4 text-ui-start text-16 text-[#fff] placeholder:text-[rgb(255_255_255/0.72)]"
        />
        <PlainIconButton
          type="submit"
          label={t('status:viewer.send')}
          icon={<SendHorizontal className="rtl:-scale-x-100" />}
          disabled={text.trim() === '' || sending.busy}
          className="size-11 text-[#fff]! hover:bg-[rgb(255_255_255/0.14)]! disabled:opacity-50"
        />
      </form>
    </div>
  );
}
