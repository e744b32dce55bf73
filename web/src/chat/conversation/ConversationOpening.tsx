import { BackToList } from './BackToList.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { MessageSkeleton } from './MessageSkeleton.tsx';

/** Until it is known which conversation an address means: all of its places, in their sizes, so that nothing moves. */
export function ConversationOpening() {
  return (
    <>
      <div className="box-content flex h-16 shrink-0 items-center gap-3 border-b border-line bg-panel px-2 pt-[env(safe-area-inset-top)] md:px-4">
        <BackToList className="-me-2" />
        <Skeleton className="size-10 rounded-full!" />
        <Skeleton className="h-4 w-32" />
      </div>
      <MessageSkeleton />
      <div className="box-content h-16 shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)]" />
    </>
  );
}
