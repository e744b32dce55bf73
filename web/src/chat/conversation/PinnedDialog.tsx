import type { Conversation, Message } from '@nolo/api';
import { PinOff } from 'lucide-react';
import { usePeopleNames } from '../words/peopleNames.ts';
import { formatExactTime } from '../../i18n/dates.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { MessageExcerpt } from './MessageExcerpt.tsx';
import { toMessageRights, useMessageActions } from './useMessageActions.ts';
import { usePinnedMessages } from './usePinnedMessages.ts';
import { useTexts } from '../../i18n/texts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

interface PinnedDialogProps {
  conversation: Conversation;
  onJump: (seq: number) => void;
  onClose: () => void;
}

export function PinnedDialog({ conversation, onJump, onClose }: PinnedDialogProps) {
  const { t } = useTexts(messagesTexts);
  const { messages, failed, retry } = usePinnedMessages(conversation.id);
  const actions = useMessageActions();
  const { selfId, locale } = usePeopleNames();
  const removable = (message: Message) => toMessageRights(message, conversation, selfId).pin;
  return (
    <Dialog open onOpenChange={onClose} title={t('messages:pinned.title')}>
      {failed && messages.length === 0 && <ErrorState title={t('messages:pinned.failed')} onRetry={retry} />}
      {!failed && messages.length === 0 && <p className="py-4 text-14 text-muted">{t('messages:pinned.emptyText')}</p>}
      <ul aria-label={t('messages:pinned.title')} className="-mx-2 flex flex-col">
        {messages.map((message) => (
          <li key={message.id} className="flex items-center gap-1 rounded-card hover:bg-hover">
            <button
              type="button"
              onClick={() => {
                onClose();
                onJump(message.seq);
              }}
              className="min-h-14 min-w-0 flex-1 rounded-card px-2 py-2 text-start outline-offset-[-2px]"
            >
              <MessageExcerpt message={message} time={formatExactTime(Date.parse(message.createdAt), locale)} />
            </button>
            {removable(message) && (
              <IconButton label={t('messages:unpin')} icon={<PinOff />} onClick={() => actions.pin(message, false)} />
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
