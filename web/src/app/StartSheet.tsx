import { useId, useRef, useState, type ReactNode } from 'react';
import { UserPlus, CircleDot, DoorOpen, Hash, LogIn, Megaphone, QrCode, Users, Video } from 'lucide-react';
import { useStore } from 'zustand';
import { looksLikePhoneNumber } from '../people/contactGroups.ts';
import { useContactSearch } from '../people/useContactSearch.ts';
import { useStartConversation } from '../people/useStartConversation.ts';
import { useMediaQuery } from '../shell/useMediaQuery.ts';
import { usePeopleSearch } from '../shell/usePeopleSearch.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { useAreGroupsAvailable } from '../groups/useAreGroupsAvailable.ts';
import { useAreMeetingsAvailable } from '../meetings/useAreMeetingsAvailable.ts';
import { featureStore } from '../session/features.ts';
import { requestSocialPost } from '../shell/socialPostRequests.ts';
import { StartDialogs, type StartDialogRequest } from './StartDialogs.tsx';
import { useTexts } from '../i18n/texts.ts';
import { beginTexts } from './beginTexts.ts';
import { groupTexts } from '../chat/words/groupTexts.ts';

interface Addressee {
  id: string;
  name: string;
  imageUrl: string | null;
  secondaryText: string;
}

/** Maximum rows drawn at once; users who know more people search by name. */
const maxRows = 50;

/** Lists the people the user may write to: contacts who are on Nolo, and beyond them the search results. */
function useAddressees(query: string) {
  const wanted = query.trim();
  const list = useContactSearch(wanted);
  const { people, searching } = usePeopleSearch(wanted, wanted.length >= 2);
  const contacts = (list.contacts ?? []).flatMap((contact): Addressee[] =>
    contact.userId === null || contact.isBlocked
      ? []
      : [
          {
            id: contact.userId,
            name: contact.displayName,
            imageUrl: contact.profileImageUrl,
            secondaryText: contact.phoneNumber ?? '',
          },
        ],
  );
  const known = new Set(contacts.map(({ id }) => id));
  const others = people
    .filter(({ id }) => !known.has(id))
    .map(({ id, displayName, profileImageUrl, statusMessage }) => ({
      id,
      name: displayName,
      imageUrl: profileImageUrl,
      secondaryText: statusMessage,
    }));
  return {
    addressees: [...contacts, ...others].slice(0, maxRows),
    loading: list.contacts === undefined && !list.failed,
    searching,
  };
}

/** Sheet with everything that can be started and everyone the user can write to. Every choice ends in a composer. */
export function StartSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTexts(beginTexts);
  const wide = useMediaQuery('(min-width: 768px)');
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState<StartDialogRequest | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const { addressees, loading, searching } = useAddressees(query);
  const { start } = useStartConversation();
  const wanted = query.trim();

  if (opened) {
    return (
      <StartDialogs
        entry={wide ? 'desktop' : 'mobile'}
        open={opened}
        onChange={(next) => (next ? setOpened(next) : onClose())}
      />
    );
  }
  const write = (id: string): void => {
    // Closes first, so that the composer has the focus in the end.
    onClose();
    void start(id);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      // The keyboard would cover the choices on a phone.
      initialFocus={() => (matchMedia('(pointer: fine)').matches ? search.current : null)}
      title={t('begin:title')}
    >
      {/* Keeps its height while the user types, so that nothing moves. */}
      <div className="flex min-h-[min(36rem,60dvh)] flex-col">
        <SearchField
          ref={search}
          label={t('begin:search')}
          value={query}
          onValueChange={setQuery}
          autoComplete="off"
          onKeyDown={(event) => {
            const [first] = addressees;
            if (event.key !== 'Enter' || wanted === '' || searching || !first) return;
            event.preventDefault();
            write(first.id);
          }}
        />
        {wanted === '' && (
          <Beginnings
            onChoose={({ does }) => {
              if (typeof does !== 'function') return setOpened(does);
              onClose();
              does();
            }}
          />
        )}
        <People
          title={t(wanted === '' ? 'begin:people' : 'begin:found')}
          addressees={addressees}
          busy={addressees.length === 0 && (loading || searching)}
          onChoose={write}
        >
          {looksLikePhoneNumber(wanted) ? (
            <Button
              kind="secondary"
              icon={<UserPlus aria-hidden="true" />}
              onClick={() => setOpened({ of: 'contact', phoneNumber: wanted })}
            >
              <bdi dir="ltr">{t('begin:addNumber', { number: wanted })}</bdi>
            </Button>
          ) : (
            <p className="text-14 text-balance text-muted">{t(wanted === '' ? 'begin:noContacts' : 'begin:none')}</p>
          )}
        </People>
        <p role="status" className="sr-only">
          {searching && t('begin:searching')}
        </p>
      </div>
    </Dialog>
  );
}

function Beginnings({ onChoose }: { onChoose: (beginning: StartAction) => void }) {
  const { t } = useTexts(beginTexts);
  const beginnings = useStartActions();
  return (
    <ul aria-label={t('begin:actions')} className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-2">
      {beginnings.map((beginning) => (
        <li key={beginning.id}>
          <button
            type="button"
            onClick={() => onChoose(beginning)}
            className="flex size-full min-h-11 items-center gap-2.5 rounded-card border border-line px-3 py-1.5 text-start text-14 font-medium transition-colors duration-150 hover:bg-hover active:bg-pressed [&_svg]:size-5 [&_svg]:text-accent-text"
          >
            <span aria-hidden="true" className="shrink-0">
              {beginning.icon}
            </span>
            <span className="min-w-0 leading-tight wrap-anywhere">{beginning.label}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface PeopleProps {
  title: string;
  addressees: readonly Addressee[];
  /** True while there are no results yet. */
  busy: boolean;
  onChoose: (id: string) => void;
  children: ReactNode;
}

function People({ title, addressees, busy, onChoose, children }: PeopleProps) {
  const { t } = useTexts(beginTexts);
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="mt-4 min-h-60 flex-1">
      <h3 id={heading} className="text-12 font-semibold text-muted">
        {title}
      </h3>
      {busy && (
        <div className="-mx-4">
          <SkeletonRows rows={3} label={t('begin:loading')} />
        </div>
      )}
      {!busy && addressees.length === 0 && <div className="px-2 py-6 text-center">{children}</div>}
      <ul className="-mx-2 mt-1 flex flex-col">
        {addressees.map(({ id, name, imageUrl, secondaryText }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onChoose(id)}
              className="flex min-h-14 w-full items-center gap-3 rounded-card px-2 py-1.5 text-start hover:bg-hover active:bg-pressed"
            >
              <Avatar name={name} imageUrl={imageUrl} size={40} />
              <span className="min-w-0 flex-1">
                <span dir="auto" className="block truncate text-ui-start text-15 font-medium">
                  {name}
                </span>
                {secondaryText !== '' && (
                  <span dir="auto" className="tabular block truncate text-ui-start text-13 text-muted">
                    {secondaryText}
                  </span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface StartAction {
  id: string;
  label: string;
  icon: ReactNode;
  /** Action, or a dialog that replaces the element in which it was chosen. */
  does: (() => void) | StartDialogRequest;
}

/** Lists what can be started, as far as it is available here. */
export function useStartActions(): readonly StartAction[] {
  const { t } = useTexts(beginTexts, groupTexts);
  const groups = useAreGroupsAvailable();
  const meetings = useAreMeetingsAvailable();
  const features = useStore(featureStore, (state) => state.features);
  const item = (id: string, label: string, icon: ReactNode, does: StartAction['does']) => ({ id, label, icon, does });
  const aGroup = (kind: 'group' | 'room' | 'join'): StartDialogRequest => ({ of: 'group', dialog: { kind } });
  const aMeeting = (kind: 'create' | 'join'): StartDialogRequest => ({ of: 'meeting', dialog: { kind } });
  return [
    item('addContact', t('chats.addContact'), <UserPlus />, { of: 'contact' }),
    item('link', t('begin:link'), <QrCode />, { of: 'link' }),
    ...(groups
      ? [
          item('createGroup', t('group:create'), <Users />, aGroup('group')),
          item('createRoom', t('group:createChat'), <Hash />, aGroup('room')),
          item('joinRoom', t('group:joinChat'), <DoorOpen className="rtl:-scale-x-100" />, aGroup('join')),
        ]
      : []),
    ...(meetings
      ? [
          item('createMeeting', t('chats.createMeeting'), <Video />, aMeeting('create')),
          item('joinMeeting', t('chats.joinMeeting'), <LogIn className="rtl:-scale-x-100" />, aMeeting('join')),
        ]
      : []),
    ...(features['status'] === true ? [item('status', t('begin:status'), <CircleDot />, { of: 'status' })] : []),
    ...(features['social'] === true
      ? [
          item('post', t('begin:post'), <Megaphone className="rtl:-scale-x-100" />, () =>
            requestSocialPost({ entry: 'post' }),
          ),
        ]
      : []),
  ];
}
