import { MessagesSquare } from 'lucide-react';
import { Link } from 'react-router-dom';
import { buttonClasses } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useTexts } from '../../i18n/texts.ts';

/** Placeholder beside the list while no conversation is open. */
export function NoConversationSelected() {
  const { t } = useTexts();
  return (
    <EmptyState
      className="flex-1"
      icon={<MessagesSquare />}
      title={t('chats.selectTitle')}
      description={t('chats.selectText')}
      action={
        <Link to="/contacts" className={buttonClasses({ kind: 'secondary' })}>
          {t('chats.startNewChat')}
        </Link>
      }
    />
  );
}
