import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { BackToList } from '../chat/conversation/BackToList.tsx';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { buttonClasses } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';

/** Frame without a conversation, with a back button on phones. */
export function GroupFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="box-content flex h-16 shrink-0 items-center border-b border-line bg-panel px-2 pt-[env(safe-area-inset-top)] md:hidden">
        <BackToList />
      </div>
      {children}
    </>
  );
}

/** The specification's text for a group that does not exist or is not visible to the user. */
export function GroupMissing({ text }: { text: string }) {
  const { t } = useTranslation();
  const title = t('chats.groupNotFound');
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
