import { Ban } from 'lucide-react';
import { useBlocked } from '../api/queries.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { useUnblock } from './useContactAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

export function BlockedPeopleDialog(props: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { t } = useTexts(contactsTexts);
  return (
    <Dialog {...props} size="small" title={t('contacts:blockedTitle')} description={t('contacts:blockedHint')}>
      <BlockedList />
    </Dialog>
  );
}

function BlockedList() {
  const { t } = useTexts(contactsTexts);
  const unblocking = useUnblock();
  const { data, isError, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useBlocked();
  const people = data?.pages.flatMap((page) => page.items);

  if (isError && !people) {
    return (
      <ErrorState
        className="py-6!"
        title={t('contacts:blockedFailed')}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!people) return <SkeletonRows rows={2} label={t('contacts:loading')} />;
  if (people.length === 0) return <EmptyState className="py-6!" icon={<Ban />} title={t('contacts:blockedEmpty')} />;
  return (
    <ul className="flex flex-col">
      {people.map((person) => (
        <li key={person.id} className="flex h-14 items-center gap-3">
          <Avatar name={person.displayName} imageUrl={person.profileImageUrl} />
          <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-14 font-medium">
            {person.displayName}
          </span>
          <Button
            kind="secondary"
            size="small"
            busy={unblocking.running === person.id}
            onClick={() => void unblocking.run(person.id)}
          >
            {t('contacts:unblock')}
          </Button>
        </li>
      ))}
      {hasNextPage && (
        <li className="pt-2">
          <Button kind="quiet" wide busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('contacts:showMore')}
          </Button>
        </li>
      )}
    </ul>
  );
}
