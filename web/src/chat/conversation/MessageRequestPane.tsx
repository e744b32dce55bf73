import type { Conversation, Message } from '@nolo/api';
import { BackToList } from './BackToList.tsx';
import { formatClockTime } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { useDocumentTitle } from '../../shell/routeHandle.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useChatState } from '../context/chatContext.ts';
import { MessageListSkeleton } from './MessageListSkeleton.tsx';
import { useOpenConversation } from './useOpenConversation.ts';
import { conversationName } from '../words/conversationName.ts';
import { summarizeMessage } from '../words/messagePreview.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { MessageRequestBar } from './MessageRequestBar.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';
import { requestsTexts } from '../words/requestsTexts.ts';

/**
 * Shows a stranger's messages before the user accepts them, as text only. Nothing here fetches remote content, follows
 * links, or sends read receipts, because none of the components that do so are used.
 */
export function MessageRequestPane({ conversation }: { conversation: Conversation }) {
  const { t } = useTexts(requestsTexts);
  const { id } = conversation;
  const name = conversationName(conversation, t);
  const timeline = useChatState((state) => state.timelines[id]);
  const reopen = useOpenConversation(id);
  useDocumentTitle(name);
  const body = () => {
    if (timeline === undefined || timeline.status === 'loading') return <MessageListSkeleton />;
    if (timeline.status === 'error') {
      return <ErrorState className="flex-1" title={t('errors.fetchMessages')} onRetry={reopen} />;
    }
    return (
      <div
        className="min-h-0 flex-1 overflow-y-auto"
        role="log"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and nothing in it takes the focus
        tabIndex={0}
        aria-label={t('requests:messages', { name })}
      >
        <div className="mx-auto flex min-h-full w-full max-w-200 flex-col justify-end gap-2 px-3 py-5 sm:px-5">
          {timeline.messages.map((message) => (
            <PlainMessage key={message.id} message={message} />
          ))}
        </div>
      </div>
    );
  };
  return (
    <>
      <header
        data-keep-clear
        className="box-content flex h-16 shrink-0 items-center gap-1 border-b border-line bg-panel px-2 pt-[env(safe-area-inset-top)] md:ps-4"
      >
        <BackToList />
        <Avatar name={name} size={40} />
        <div className="ms-2 min-w-0 flex-1">
          <h1 dir="auto" className="truncate text-ui-start text-16 font-semibold">
            {name}
          </h1>
          <p className="truncate text-13 text-muted">{t('requests:stranger')}</p>
        </div>
      </header>
      {body()}
      <MessageRequestBar conversation={conversation} name={name} />
    </>
  );
}

/** Shows the text as typed. For media, shows only that there is some. */
function PlainMessage({ message }: { message: Message }) {
  const { t } = useTexts(callTexts, requestsTexts);
  const names = usePeopleNames();
  const locale = useLocale();
  const isWords = message.deletedAt === null && message.messageType === 'text';
  const isMedium = message.deletedAt === null && !['text', 'system'].includes(message.messageType);
  return (
    <article
      dir="auto"
      className="max-w-[min(85%,34rem)] self-start rounded-bubble bg-bubble-other px-3 py-(--nolo-bubble-block) text-start text-15 wrap-anywhere whitespace-pre-wrap text-ink shadow-[0_1px_1.5px_rgb(50_40_25/0.07)] [unicode-bidi:plaintext] pointer-coarse:text-16"
    >
      {isWords ? message.content : summarizeMessage(message, t, names)}
      {isMedium && <span className="block text-13 text-muted">{t('requests:notLoaded')}</span>}
      <time dateTime={message.createdAt} className="tabular mt-0.5 block text-12 text-muted">
        {formatClockTime(Date.parse(message.createdAt), locale)}
      </time>
    </article>
  );
}
