import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { MessageSkeleton } from './MessageSkeleton.tsx';

/** Until it is known which conversation an address means: all of its places, in their sizes, so that nothing moves. */
export function ConversationOpening() {
  const { t } = useTranslation();
  return (
    <>
      <div className="box-content flex h-16 shrink-0 items-center gap-3 border-b border-line bg-panel px-2 pt-[env(safe-area-inset-top)] md:px-4">
        <Link
          to="/"
          aria-label={t('conversation.back')}
          className="tap -me-2 inline-flex size-10 items-center justify-center rounded-control text-muted hover:bg-hover md:hidden"
        >
          <ArrowLeft aria-hidden="true" className="size-5 rtl:-scale-x-100" />
        </Link>
        <Skeleton className="size-10 rounded-full!" />
        <Skeleton className="h-4 w-32" />
      </div>
      <MessageSkeleton />
      <div className="box-content h-16 shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)]" />
    </>
  );
}
