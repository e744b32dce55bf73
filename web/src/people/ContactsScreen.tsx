import { Ban, ContactRound, EllipsisVertical, QrCode, SearchX, UserPlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { GroupedVirtuoso } from 'react-virtuoso';
import { Panes } from '../shell/Panes.tsx';
import { useMediaQuery } from '../shell/useMediaQuery.ts';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { Button, buttonClasses } from '../ui/Button.tsx';
import { DropdownMenu, MenuItem } from '../ui/DropdownMenu.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Skeleton, SkeletonRows } from '../ui/Skeleton.tsx';
import { usePeopleSearch } from '../shell/usePeopleSearch.ts';
import { AddContactDialog } from './AddContactDialog.tsx';
import { BlockedPeopleDialog } from './BlockedPeopleDialog.tsx';
import { ContactDialogs, type ContactAction } from './ContactDialogs.tsx';
import { ContactDetails } from './ContactDetails.tsx';
import { groupContacts, looksLikePhoneNumber, toContactListSections } from './contactGroups.ts';
import type { ContactListSection, ContactListItem } from './contactGroups.ts';
import { readContactToken } from './contactLink.ts';
import { ContactRow } from './ContactRow.tsx';
import { NonContactRow } from './NonContactRow.tsx';
import { useContactSearch } from './useContactSearch.ts';
import { useInviteAction } from './useInviteAction.ts';
import { useStartConversation } from './useStartConversation.ts';
import { BackLink } from '../shell/BackLink.tsx';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

const OwnLinkDialog = lazyDialog(async () => (await import('./OwnLinkDialog.tsx')).OwnLinkDialog);
const AddByLinkDialog = lazyDialog(async () => (await import('./AddByLinkDialog.tsx')).AddByLinkDialog);

export function ContactsScreen() {
  const { t } = useTexts(contactsTexts);
  const navigate = useNavigate();
  const { id } = useParams();
  const [search, setSearch] = useState('');
  const [adding, setAdding] = useState<string | null>(null);
  const [linkOpen, setLinkOpen] = useState(false);
  const [blockedOpen, setBlockedOpen] = useState(false);
  const [action, setAction] = useState<ContactAction | null>(null);
  const list = useContactSearch(search);
  const everybody = useContactSearch('');
  const { startingWith, start } = useStartConversation();
  const detailed = everybody.contacts?.find((contact) => contact.id === id);
  const act = (chosen: ContactAction) => {
    if (chosen.kind === 'details') void navigate(`/contacts/${chosen.contact.id}`);
    else setAction(chosen);
  };
  const startWith = (userId: string) => void start(userId);
  const title =
    list.total === null || list.total === 0 ? (
      t('contacts:title')
    ) : (
      <>
        {t('contacts:title')} <span className="tabular ms-1 text-16 font-medium text-muted">{list.total}</span>
      </>
    );

  const people = (
    <>
      <ScreenHeader
        title={title}
        actions={
          <>
            {/* Hidden until it is known whether the empty list shows the button in its middle. Otherwise, it could
               vanish under the finger. */}
            {!list.total ? null : (
              <IconButton label={t('contacts:add')} icon={<UserPlus />} onClick={() => setAdding('')} />
            )}
            <DropdownMenu trigger={<IconButton plain label={t('common.more')} icon={<EllipsisVertical />} />}>
              <MenuItem icon={<QrCode />} onSelect={() => setLinkOpen(true)}>
                {t('contacts:ownLink')}
              </MenuItem>
              <MenuItem icon={<Ban />} onSelect={() => setBlockedOpen(true)}>
                {t('contacts:blockedTitle')}
              </MenuItem>
            </DropdownMenu>
          </>
        }
      />
      <SearchField
        className="mx-4 mb-2"
        label={t('contacts:searchLabel')}
        placeholder={t('contacts:searchPlaceholder')}
        value={search}
        onValueChange={setSearch}
      />
      <ContactsBody
        search={search}
        list={list}
        startingWith={startingWith}
        onStart={startWith}
        onAct={act}
        onAdd={setAdding}
      />
      {adding !== null && <AddContactDialog phoneNumber={adding} onClose={() => setAdding(null)} />}
      <ContactLinkDialogs ownOpen={linkOpen} onOwnClose={() => setLinkOpen(false)} />
      <BlockedPeopleDialog open={blockedOpen} onOpenChange={setBlockedOpen} />
      <ContactDialogs
        action={action}
        onRemoved={() => void navigate('/contacts', { replace: true })}
        onClose={() => setAction(null)}
      />
    </>
  );
  return (
    <Panes
      list={people}
      content={
        detailed ? (
          <div className="flex min-h-0 flex-1 flex-col">
            <BackLink to="/contacts" label={t('contacts:backToList')} className="m-2 md:hidden" />
            <div className="min-h-0 flex-1 overflow-y-auto">
              <div className="mx-auto w-full max-w-100">
                <ContactDetails
                  key={detailed.id}
                  contact={detailed}
                  starting={startingWith !== null && startingWith === detailed.userId}
                  onStart={startWith}
                  onAct={act}
                />
              </div>
            </div>
          </div>
        ) : (
          <NoContact missing={id !== undefined && everybody.contacts !== undefined} none={list.total === 0} />
        )
      }
      contentOpen={id !== undefined}
    />
  );
}

/** Dialogs for the user's own link, and for an opened or scanned link. */
function ContactLinkDialogs({ ownOpen, onOwnClose }: { ownOpen: boolean; onOwnClose: () => void }) {
  const navigate = useNavigate();
  const opened = readContactToken(useLocation().hash);
  const [scanned, setScanned] = useState<string | null>(null);
  const token = scanned ?? opened;
  return (
    <>
      {ownOpen && (
        <OwnLinkDialog
          onClose={onOwnClose}
          onFound={(found) => {
            onOwnClose();
            setScanned(found);
          }}
        />
      )}
      {token !== null && (
        <AddByLinkDialog
          token={token}
          onClose={() => {
            setScanned(null);
            if (opened !== null) void navigate('/contacts', { replace: true });
          }}
        />
      )}
    </>
  );
}

/** Placeholder beside the list while nobody is chosen, or if the chosen person is no longer a contact. */
function NoContact({ missing, none }: { missing: boolean; none: boolean }) {
  const { t } = useTexts(contactsTexts);
  // An empty list explains the next step itself.
  if (none && !missing) return null;
  return (
    <EmptyState
      className="flex-1"
      icon={<ContactRound />}
      title={t(missing ? 'contacts:goneTitle' : 'contacts:selectTitle')}
      description={t('contacts:selectText')}
      {...(missing && {
        action: (
          <Link to="/contacts" replace className={buttonClasses({ kind: 'secondary' })}>
            {t('contacts:backToList')}
          </Link>
        ),
      })}
    />
  );
}

interface ContactsBodyProps {
  search: string;
  list: ReturnType<typeof useContactSearch>;
  startingWith: string | null;
  onStart: (userId: string) => void;
  onAct: (action: ContactAction) => void;
  /** Called with the number that was searched for, or with an empty one. */
  onAdd: (phoneNumber: string) => void;
}

function ContactsBody({ search, list, startingWith, onStart, onAct, onAdd }: ContactsBodyProps) {
  const { t } = useTexts(contactsTexts);
  const wanted = search.trim();
  const { people, searching, failed, retry } = usePeopleSearch(wanted, wanted.length >= 2);
  const wide = useMediaQuery('(min-width: 768px)');
  const { id } = useParams();
  const invite = useInviteAction();

  const { contacts } = list;
  const groups = useMemo(
    () =>
      toContactListSections(wanted !== '', {
        groups: groupContacts(contacts ?? []),
        people: people.filter((person) => !person.isContact),
        searching,
        headings: { contacts: t('contacts:title'), people: t('contacts:otherPeople') },
      }),
    [contacts, people, searching, t, wanted],
  );
  if (list.failed) {
    return (
      <ErrorState
        className="flex-1"
        title={t('contacts:loadFailed')}
        description={t('contacts:loadFailedText')}
        retrying={list.fetching}
        onRetry={list.retry}
      />
    );
  }
  if (contacts === undefined) return <SkeletonRows rows={5} label={t('contacts:loading')} />;

  if (groups.length === 0 && failed) {
    return <ErrorState className="flex-1" title={t('errors.searchUsers')} retrying={searching} onRetry={retry} />;
  }
  if (groups.length === 0) return <Nothing search={wanted} onAdd={onAdd} />;
  return (
    <ContactList
      groups={groups}
      onEnd={list.more}
      row={(item) => {
        if (item.kind === 'searching') return <SearchingRow />;
        if (item.kind === 'person') {
          return <NonContactRow person={item.person} starting={startingWith === item.person.id} onStart={onStart} />;
        }
        return (
          <ContactRow
            contact={item.contact}
            current={wide && item.contact.id === id}
            opensDetails={wide}
            starting={startingWith !== null && startingWith === item.contact.userId}
            onStart={onStart}
            onInvite={(url) => void invite.share(url)}
            onAct={onAct}
          />
        );
      }}
    />
  );
}

function Nothing({ search, onAdd }: { search: string; onAdd: (phoneNumber: string) => void }) {
  const { t } = useTexts(contactsTexts);
  const number = looksLikePhoneNumber(search);
  const add = (
    <Button icon={<UserPlus />} onClick={() => onAdd(number ? search : '')}>
      {number ? t('contacts:addNumber') : t('contacts:add')}
    </Button>
  );
  const shown =
    search === ''
      ? { icon: <ContactRound />, title: t('contacts:emptyTitle'), description: t('contacts:emptyText') }
      : { icon: <SearchX />, title: t('contacts:noMatches'), description: t('contacts:noMatchesText') };
  return <EmptyState className="flex-1" {...shown} action={add} />;
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
  groups: ContactListSection[];
  row: (item: ContactListItem) => React.ReactNode;
  onEnd: () => void;
}

function keyOf(item: ContactListItem): string {
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
        <h2 className="bg-page md:bg-panel px-4.5 pt-2.5 pb-1 text-12 font-semibold text-muted">
          {groups[index]?.heading}
        </h2>
      )}
      itemContent={(index) => {
        const item = items[index];
        return item && <div key={keyOf(item)}>{row(item)}</div>;
      }}
      endReached={onEnd}
      increaseViewportBy={400}
      components={listComponents}
    />
  );
}

/** Padding below the last row, so that it does not touch the edge of the screen. */
const listComponents = { Footer: () => <div className="h-4" /> };
