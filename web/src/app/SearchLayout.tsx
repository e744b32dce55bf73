import { MessageSquareText } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { SearchPanel } from '../search/SearchPanel.tsx';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ConversationPanes } from './ConversationPanes.tsx';
import { useTexts } from '../i18n/texts.ts';
import { searchTexts } from '../search/searchTexts.ts';

/** Page `/search`: search of all messages on this device, and next to it the conversation of a result. */
export function SearchLayout() {
  const { t } = useTexts(searchTexts);
  const { id } = useParams();
  useDocumentTitle(id === undefined ? t('search:title') : undefined);
  return (
    <ConversationPanes
      list={<SearchPanel />}
      none={
        <EmptyState
          className="flex-1"
          icon={<MessageSquareText />}
          title={t('search:select')}
          description={t('search:selectText')}
        />
      }
    />
  );
}
