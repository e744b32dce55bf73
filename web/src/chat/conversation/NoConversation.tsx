import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useDocumentTitle } from '../../shell/routeHandle.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { BackToList } from './BackToList.tsx';
import { useTexts } from '../../i18n/texts.ts';

/** Frame without a conversation, with a back button on phones. */
export function NoConversation({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="box-content flex h-16 shrink-0 items-center border-b border-line bg-panel px-2 pt-[env(safe-area-inset-top)] md:hidden">
        <BackToList />
      </div>
      {children}
    </>
  );
}

/** Says that a conversation does not exist or is not visible to the user. */
export function ConversationMissing({ title, text }: { title: string; text: string }) {
  const { t } = useTexts();
  useDocumentTitle(title);
  return (
    <EmptyState
      whole
      className="flex-1"
      icon={<SearchX />}
      title={title}
      description={text}
      action={
        <Link to="/" className={buttonClasses({ kind: 'secondary' })}>
          {t('common.goBackHome')}
        </Link>
      }
    />
  );
}
