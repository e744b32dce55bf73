import { Star } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { StarredList } from '../chat/starred/StarredList.tsx';
import { useStarredMessages } from '../chat/starred/useStarredMessages.ts';
import { useMessageWords } from '../chat/words/useMessageWords.ts';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ConversationPanes } from './ConversationPanes.tsx';

/** Page `/starred`: the starred messages, and next to them the conversation of a selected one. */
export function StarredLayout() {
  const { t } = useMessageWords();
  const { id } = useParams();
  const starred = useStarredMessages();
  useDocumentTitle(id === undefined ? t('messages.starred.title') : undefined);
  return (
    <ConversationPanes
      list={<StarredList {...starred} />}
      none={
        // An empty list explains by itself what to do next.
        starred.messages?.length !== 0 && (
          <EmptyState
            className="flex-1"
            icon={<Star />}
            title={t('messages.starred.select')}
            description={t('messages.starred.selectText')}
          />
        )
      }
    />
  );
}
