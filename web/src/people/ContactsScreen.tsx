import { Ban, ContactRound, EllipsisVertical, SearchX, UserPlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { GroupedVirtuoso } from 'react-virtuoso';
import { useMediaQuery } from '../shell/Panes.tsx';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { Button } from '../ui/Button.tsx';
import { DropdownMenu, MenuItem } from '../ui/DropdownMenu.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Sheet } from '../ui/Sheet.tsx';
import { Skeleton, SkeletonRows } from '../ui/Skeleton.tsx';
import { usePeopleSearch } from '../shell/usePeopleSearch.ts';
import { AddContactDialog } from './AddContactDialog.tsx';
import { BlockedDialog } from './BlockedDialog.tsx';
import type { ContactAction } from './ContactDialogs.tsx';
import { ContactDialogs } from './ContactDialogs.tsx';
import { ContactDetails } from './ContactDetails.tsx';
import { groupContacts, looksLikePhoneNumber } from './contactGroups.ts';
import type { ListGroup, ListItem } from './contactListItems.ts';
import { listGroups } from './contactListItems.ts';
import { ContactRow } from './ContactRow.tsx';
import { PersonRow } from './PersonRow.tsx';
import { useContactSearch } from './useContactSearch.ts';
import { useInvite } from './useInvite.ts';
import { useStartConversation } from './useStartConversation.ts';
import { useContactsWords } from './useContactsWords.ts';

/** The people one can write to, and the way to more of them. */
export function ContactsScreen() {
  const { t } = useContactsWords();
  const wide = useMediaQuery('(min-width: 640px)');
  const [search, setSearch] = useState('');
  const [adding, setAdding] = useState<string | null>(null);
  const [blockedOpen, setBlockedOpen] = useState(false);
  const list = useContactSearch(search);
  const title =
    list.total === null || list.total === 0 ? (
      t('contacts.title')
    ) : (
      <>
        {t('contacts.title')} <span className="tabular ms-1 text-16 font-medium text-muted">{list.total}</span>
      </>
    );

  return (
    <div className="mx-auto flex min-h-0 w-full max-w-180 flex-1 flex-col">
      <ScreenHeader
        title={title}
        actions={
          <>
            {/* Not before it is known whether the empty list shows it in its middle: it would go away under the finger. */}
            {!list.total ? null : wide ? (
              <Button icon={<UserPlus />} onClick={() => setAdding('')}>
                {t('contacts.add')}
              </Button>
            ) : (
              <IconButton label={t('contacts.add')} icon={<UserPlus />} onClick={() => setAdding('')} />
            )}
            <DropdownMenu trigger={<IconButton plain label={t('common.more')} icon={<EllipsisVertical />} />}>
              <MenuItem icon={<Ban />} onSelect={() => setBlockedOpen(true)}>
                {t('contacts.blockedTitle')}
              </MenuItem>
            </DropdownMenu>
          </>
        }
      />
      <SearchField
        className="mx-4 mb-2"
        label={t('contacts.searchLabel')}
        placeholder={t('contacts.searchPlaceholder')}
        value={search}
        onValueChange={setSearch}
      />
      <ContactsBody search={search} list={list} onAdd={setAdding} />
      {adding !== null && <AddContactDialog phoneNumber={adding} onClose={() => setAdding(null)} />}
      <BlockedDialog open={blockedOpen} onOpenChange={setBlockedOpen} />
    </div>
  );
}

interface ContactsBodyProps {
  search: string;
  list: ReturnType<typeof useContactSearch>;
  /** With a number that was searched for, or an empty one. */
  onAdd: (phoneNumber: string) => void;
}

function ContactsBody({ search, list, onAdd }: ContactsBodyProps) {
  const { t } = useContactsWords();
  const wanted = search.trim();
  const { people, searching } = usePeopleSearch(wanted, wanted.length >= 2);
  const [action, setAction] = useState<ContactAction | null>(null);
  const [detailsId, setDetailsId] = useState<string | null>(null);
  const { startingWith, start } = useStartConversation();
  const invite = useInvite();

  const { contacts } = list;
  const groups = useMemo(
    () =>
      listGroups(wanted !== '', {
        groups: groupContacts(contacts ?? []),
        people: people.filter((person) => !person.isContact),
        searching,
        headings: { contacts: t('contacts.title'), people: t('contacts.otherPeople') },
      }),
    [contacts, people, searching, t, wanted],
  );
  const detailed = contacts?.find((contact) => contact.id === detailsId);
  const act = (chosen: ContactAction) => {
    if (chosen.kind === 'details') setDetailsId(chosen.contact.id);
    else setAction(chosen);
  };
  const startWith = (userId: string) => void start(userId);

  if (list.failed) {
    return (
      <ErrorState
        className="flex-1"
        title={t('contacts.loadFailed')}
        description={t('contacts.loadFailedText')}
        retrying={list.fetching}
        onRetry={list.retry}
      />
    );
  }
  if (contacts === undefined) return <SkeletonRows rows={5} label={t('contacts.loading')} />;

  const dialogs = (
    <>
      <Sheet
        open={detailed !== undefined}
        onOpenChange={(open) => {
          if (!open) setDetailsId(null);
        }}
        title={t('contacts.details')}
      >
        {detailed && (
          <ContactDetails
            contact={detailed}
            starting={startingWith === detailed.userId}
            onStart={startWith}
            onAct={act}
          />
        )}
      </Sheet>
      <ContactDialogs action={action} onRemoved={() => setDetailsId(null)} onClose={() => setAction(null)} />
    </>
  );

  if (groups.length === 0) {
    return (
      <>
        <Nothing search={wanted} onAdd={onAdd} />
        {dialogs}
      </>
    );
  }
  return (
    <>
      <ContactList
        groups={groups}
        onEnd={list.more}
        row={(item) => {
          if (item.kind === 'searching') return <SearchingRow />;
          if (item.kind === 'person') {
            return <PersonRow person={item.person} starting={startingWith === item.person.id} onStart={startWith} />;
          }
          return (
            <ContactRow
              contact={item.contact}
              starting={startingWith !== null && startingWith === item.contact.userId}
              onStart={startWith}
              onInvite={(url) => void invite.share(url)}
              onAct={act}
            />
          );
        }}
      />
      {dialogs}
    </>
  );
}

function Nothing({ search, onAdd }: { search: string; onAdd: (phoneNumber: string) => void }) {
  const { t } = useContactsWords();
  const number = looksLikePhoneNumber(search);
  const add = (
    <Button icon={<UserPlus />} onClick={() => onAdd(number ? search : '')}>
      {number ? t('contacts.addNumber') : t('contacts.add')}
    </Button>
  );
  return search === '' ? (
    <EmptyState
      className="flex-1"
      icon={<ContactRound />}
      title={t('contacts.emptyTitle')}
      description={t('contacts.emptyText')}
      action={add}
    />
  ) : (
    <EmptyState
      className="flex-1"
      icon={<SearchX />}
      title={t('contacts.noMatches')}
      description={t('contacts.noMatchesText')}
      action={add}
    />
  );
}

function SearchingRow() {
  return (
    <div aria-hidden="true" className="mx-2 flex h-17 items-center gap-3 px-2.5">
      <Skeleton className="size-12 shrink-0 rounded-full" />
      <Skeleton className="h-3.5 w-2/5" />
    </div>
  );
}

interface ContactListProps {
  groups: ListGroup[];
  row: (item: ListItem) => React.ReactNode;
  onEnd: () => void;
}

function keyOf(item: ListItem): string {
  if (item.kind === 'contact') return item.contact.id;
  return item.kind === 'person' ? item.person.id : 'searching';
}

function ContactList({ groups, row, onEnd }: ContactListProps) {
  const items = groups.flatMap((group) => group.items);
  const counts = groups.map((group) => group.items.length);
  return (
    <GroupedVirtuoso
      className="min-h-0 flex-1"
      groupCounts={counts}
      groupContent={(index) => (
        <h2 className="bg-page px-4.5 pt-2.5 pb-1 text-12 font-semibold text-muted">{groups[index]?.heading}</h2>
      )}
      itemContent={(index) => {
        const item = items[index];
        return item && <div key={keyOf(item)}>{row(item)}</div>;
      }}
      endReached={onEnd}
      increaseViewportBy={400}
      components={listParts}
    />
  );
}

/** Room under the last row, so that it is not cut at the screen's edge. */
const listParts = { Footer: () => <div className="h-4" /> };
