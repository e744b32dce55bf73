import { BackToList } from './BackToList.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { MessageListSkeleton } from './MessageListSkeleton.tsx';

/** Placeholders of all parts in their sizes, so that nothing moves, until the conversation of the address is known. */
export function ConversationSkeleton() {
  return (
    <>
      <div className="box-content flex h-16 shrink-0 items-center gap-3 border-b border-line bg-panel px-2 pt-[env(safe-area-inset-top)] md:px-4">
        <BackToList className="-me-2" />
        <Skeleton className="size-10 rounded-full!" />
        <Skeleton className="h-4 w-32" />
      </div>
      <MessageListSkeleton />
      <div className="box-content h-16 shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)]" />
    </>
  );
}
