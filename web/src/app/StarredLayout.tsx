import { Star } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { StarredList } from '../chat/starred/StarredList.tsx';
import { useStarredMessages } from '../chat/starred/useStarredMessages.ts';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ConversationPanes } from './ConversationPanes.tsx';
import { useTexts } from '../i18n/texts.ts';
import { messagesTexts } from '../chat/words/messagesTexts.ts';

/** Page `/starred`: the starred messages, and next to them the conversation of a selected one. */
export function StarredLayout() {
  const { t } = useTexts(messagesTexts);
  const { id } = useParams();
  const starred = useStarredMessages();
  useDocumentTitle(id === undefined ? t('messages:starred.title') : undefined);
  return (
    <ConversationPanes
      list={<StarredList {...starred} />}
      none={
        // An empty list explains by itself what to do next.
        starred.messages?.length !== 0 && (
          <EmptyState
            className="flex-1"
            icon={<Star />}
            title={t('messages:starred.select')}
            description={t('messages:starred.selectText')}
          />
        )
      }
    />
  );
}
