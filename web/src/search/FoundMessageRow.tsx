import { FileText, Image, Link2, Mic } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { useChatState } from '../chat/context/chatContext.ts';
import { useIsOpenedMessage } from '../chat/conversation/useIsOpenedMessage.ts';
import { conversationName, conversationPath } from '../chat/words/conversationName.ts';
import { formatConversationTime } from '../chat/words/formatConversationTime.ts';
import { useDisplayNameOf } from '../chat/words/useDisplayNameOf.ts';
import { useLocale } from '../i18n/locale.ts';
import { useNow } from '../shell/useNow.ts';
import { classNames } from '../ui/classNames.ts';
import type { FoundMessage } from './index/searchPorts.ts';
import { HighlightedText } from './HighlightedText.tsx';
import { useTexts } from '../i18n/texts.ts';
import { searchTexts } from './searchTexts.ts';

const symbols = { media: Image, file: FileText, link: Link2, voice: Mic } as const;

/** Shows a found message's sender, conversation, and time, with an excerpt around the matches. */
function FoundMessageLines({ found }: { found: FoundMessage }) {
  const { t } = useTexts(searchTexts);
  const locale = useLocale();
  const now = useNow();
  const nameOf = useDisplayNameOf();
  const selfId = useChatState((state) => state.selfId);
  const conversation = useChatState((state) => state.conversations[found.conversationId]);
  const { text, exact } = formatConversationTime(found.at, now, locale);
  const isDirect = conversation?.type === 'direct';
  const isElsewhere = conversation && (!isDirect || found.senderId === selfId);
  const Symbol = found.kind === 'none' || found.kind === 'text' ? null : symbols[found.kind];
  const excerpt = found.excerpt || (found.kind === 'voice' ? t('search:voice') : t('search:photo'));
  return (
    <>
      <span className="flex items-baseline gap-2">
        <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-14 font-semibold">
          <bdi>{nameOf(found.senderId)}</bdi>
          {isElsewhere && (
            <span className="font-normal text-muted">
              {' '}
              {t(isDirect ? 'search:toPerson' : 'search:inChat', { name: conversationName(conversation, t) })}
            </span>
          )}
        </span>
        <time dateTime={new Date(found.at).toISOString()} title={exact} className="tabular shrink-0 text-12 text-muted">
          {text}
        </time>
      </span>
      <span className="flex gap-1.5 text-14 text-muted">
        {Symbol && <Symbol aria-hidden="true" className="mt-0.5 size-4 shrink-0" />}
        <span dir="auto" className="line-clamp-2 min-w-0 flex-1 text-ui-start wrap-anywhere">
          <HighlightedText text={excerpt} highlights={found.excerpt === '' ? [] : found.highlights} />
        </span>
      </span>
    </>
  );
}

export function FoundMessageRow({ found }: { found: FoundMessage }) {
  const { conversationId, seq, words } = found;
  const conversation = useChatState((state) => state.conversations[conversationId]);
  const { search } = useLocation();
  const current = useIsOpenedMessage(found);
  return (
    <li className="mx-2">
      <Link
        to={`/search${conversation ? conversationPath(conversation) : `/chat/${conversationId}`}${search}`}
        state={{ seq, words }}
        aria-current={current ? 'page' : undefined}
        data-result
        className={classNames(
          'block min-h-15 rounded-card px-2.5 py-2 outline-offset-[-2px]',
          current ? 'bg-accent-subtle' : 'hover:bg-hover',
        )}
      >
        <FoundMessageLines found={found} />
      </Link>
    </li>
  );
}
