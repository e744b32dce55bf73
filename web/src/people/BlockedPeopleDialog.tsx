import { routes } from '@nolo/api';
import { limits } from '@nolo/rules';
import { Ban } from 'lucide-react';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/usePages.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PagedRows } from '../ui/PagedRows.tsx';
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
  const list = usePages(routes.listBlocked, {
    queryKey: queryKeys.blocked,
    query: { limit: limits.contactsPerPage },
  });
  return (
    <PagedRows
      list={list}
      words={{ failed: t('contacts:blockedFailed'), loading: t('contacts:loading'), more: t('contacts:showMore') }}
      empty={<EmptyState className="py-6!" icon={<Ban />} title={t('contacts:blockedEmpty')} />}
      className="flex flex-col"
      placeholder={{ rows: 2, className: 'py-6!' }}
      moreButton={{ kind: 'quiet', wide: true, className: 'mt-2' }}
    >
      {(person) => (
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
      )}
    </PagedRows>
  );
}
