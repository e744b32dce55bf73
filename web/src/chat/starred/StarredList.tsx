import { Star, StarOff } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useChat, useChatState } from '../context/chatContext.ts';
import { useLocale } from '../../i18n/locale.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { classNames } from '../../ui/classNames.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { PagedRows } from '../../ui/PagedRows.tsx';
import { conversationName, conversationPath } from '../words/conversationName.ts';
import { formatConversationTime } from '../words/formatConversationTime.ts';
import { useNow } from '../../shell/useNow.ts';
import { MessageExcerpt } from '../conversation/MessageExcerpt.tsx';
import { useIsOpenedMessage } from '../conversation/useIsOpenedMessage.ts';
import { useMessageActions } from '../conversation/useMessageActions.ts';
import type { StarredMessages, StarredMessage } from './useStarredMessages.ts';
import { BackLink } from '../../shell/BackLink.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

/** Lists the user's starred messages, with links to their place in the conversation. */
export function StarredList(starred: StarredMessages) {
  const { t } = useTexts(messagesTexts);
  return (
    <>
      <header
        data-keep-clear
        className="box-content flex h-16 shrink-0 items-center gap-1 ps-2 pe-4 pt-[env(safe-area-inset-top)]"
      >
        <BackLink to="/" label={t('messages:starred.back')} />
        <h1 className="min-w-0 flex-1 truncate text-20 font-semibold tracking-tight">{t('messages:starred.title')}</h1>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto pb-6">
        <Rows {...starred} />
      </div>
    </>
  );
}

function Rows({ pages, messages, remove }: StarredMessages) {
  const { t } = useTexts(messagesTexts);
  return (
    <PagedRows
      list={pages}
      items={messages}
      words={{
        failed: t('messages:starred.failed'),
        loading: t('messages:starred.loading'),
        more: t('messages:starred.more'),
      }}
      empty={
        <EmptyState
          className="pt-16"
          icon={<Star />}
          title={t('messages:starred.empty')}
          description={t('messages:starred.emptyText')}
          action={
            <Link to="/" className={buttonClasses({ kind: 'secondary' })}>
              {t('messages:starred.back')}
            </Link>
          }
        />
      }
      label={t('messages:starred.title')}
      placeholder={{ rows: 4, className: 'pt-16' }}
      moreButton={{ className: 'mx-auto mt-3 flex!' }}
    >
      {(one) => <Row key={one.message.id} {...one} onRemoved={() => remove(one.message.id)} />}
    </PagedRows>
  );
}

function Row({ message, onRemoved }: StarredMessage & { onRemoved: () => void }) {
  const current = useIsOpenedMessage(message);
  const { t } = useTexts(messagesTexts);
  const { engine } = useChat();
  const locale = useLocale();
  const now = useNow();
  const { star } = useMessageActions();
  const conversation = useChatState((state) => state.conversations[message.conversationId]);
  const isGroup = conversation?.type === 'group';
  const { text } = formatConversationTime(Date.parse(message.createdAt), now, locale);
  const own = message.senderId === engine.store.getState().selfId;
  return (
    <li
      className={classNames(
        'mx-2 flex items-center gap-1 rounded-card pe-1',
        current ? 'bg-accent-subtle' : 'hover:bg-hover',
      )}
    >
      <Link
        to={`/starred${conversation ? conversationPath(conversation) : `/chat/${message.conversationId}`}`}
        state={{ seq: message.seq }}
        aria-current={current ? 'page' : undefined}
        className="min-h-15 min-w-0 flex-1 rounded-card px-2.5 py-2 outline-offset-[-2px]"
      >
        <MessageExcerpt
          message={message}
          time={text}
          {...(conversation &&
            (own || isGroup) && {
              place: t(isGroup ? 'messages:starred.inChat' : 'messages:starred.toPerson', {
                name: conversationName(conversation, t),
              }),
            })}
        />
      </Link>
      <IconButton
        label={t('messages:unstar')}
        icon={<StarOff />}
        onClick={() => {
          star([message], false);
          onRemoved();
        }}
      />
    </li>
  );
}
