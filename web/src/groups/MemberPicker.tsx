import { foldText } from '@nolo/rules';
import { X } from 'lucide-react';
import { useId, useMemo, useState, type ComponentProps, type Ref } from 'react';
import { Virtuoso } from 'react-virtuoso';
import { useDeferredChatState } from '../chat/context/chatContext.ts';
import { listAcceptedStrangers } from '@nolo/client/chat/chatStore';
import type { ChatState } from '@nolo/client/chat/state';
import { useContacts } from '../api/queries.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { usePeopleSearch } from '../shell/usePeopleSearch.ts';
import type { ListedPerson } from '../chat/groupCalls/person.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from '../people/contactsTexts.ts';
import { groupsTexts } from './groupsTexts.ts';

/** Maximum rows without a virtual list. */
const plainRows = 30;
/** Most recently chosen people shown before expanding. */
const latestChosen = 24;

const conversationsOf = (state: ChatState) => state.conversations;

export interface MemberPickerProps {
  /** Role of the chosen people. Default: members. */
  label?: string;
  chosen: readonly ListedPerson[];
  onChange: (chosen: readonly ListedPerson[]) => void;
  /** People not offered: the user, and existing members. */
  excluded: ReadonlySet<string>;
  /** True to also offer non-contacts whose message requests were accepted. */
  withStrangers?: boolean;
  error?: string | null;
  ref?: Ref<HTMLInputElement>;
}

/** Returns accepted strangers by name. Returns none if only contacts are wanted. */
function useStrangers(wanted: boolean, query: string): readonly ListedPerson[] {
  const conversations = useDeferredChatState(conversationsOf);
  return useMemo(() => {
    if (!wanted) return [];
    const typed = foldText(query.trim());
    return listAcceptedStrangers(conversations).filter(({ displayName }) => foldText(displayName).includes(typed));
  }, [wanted, query, conversations]);
}

/** Chooses people: contacts first, then anyone found by name, number, or email address. */
export function MemberPicker(props: MemberPickerProps) {
  const { label: heading, chosen, onChange, excluded, withStrangers = false, error, ref } = props;
  const { t } = useTexts(contactsTexts, groupsTexts);
  const label = useId();
  const [query, setQuery] = useState('');
  const typed = query.trim() !== '';
  const contacts = useContacts('');
  const search = usePeopleSearch(query, true);
  const known = useMemo(
    () =>
      (contacts.data?.pages ?? []).flatMap(({ items }) =>
        items.flatMap(({ userId, displayName, profileImageUrl, isBlocked }): ListedPerson[] =>
          userId === null || isBlocked ? [] : [{ id: userId, displayName, profileImageUrl }],
        ),
      ),
    [contacts.data],
  );
  const strangers = useStrangers(withStrangers, query);
  const found: readonly ListedPerson[] = typed ? search.people : known;
  const offered = [...found, ...strangers.filter(({ id }) => !found.some((one) => one.id === id))].filter(
    ({ id }) => !excluded.has(id),
  );
  const loading = typed ? search.searching && offered.length === 0 : contacts.isPending;
  const isChosen = (id: string) => chosen.some((one) => one.id === id);
  const toggle = (person: ListedPerson) =>
    onChange(
      isChosen(person.id)
        ? chosen.filter(({ id }) => id !== person.id)
        : [...chosen, { id: person.id, displayName: person.displayName, profileImageUrl: person.profileImageUrl }],
    );
  const more: MoreProps | null =
    !typed && contacts.hasNextPage
      ? { busy: contacts.isFetchingNextPage, onMore: () => void contacts.fetchNextPage() }
      : null;
  const row = (person: ListedPerson) => (
    <label className="flex h-14 cursor-pointer items-center gap-3 px-3 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-focus">
      <input
        type="checkbox"
        checked={isChosen(person.id)}
        onChange={() => toggle(person)}
        className="size-5 shrink-0 accent-accent outline-none"
      />
      <Avatar name={person.displayName} imageUrl={person.profileImageUrl} />
      <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-15 font-medium">
        {person.displayName}
      </span>
    </label>
  );

  return (
    <div role="group" aria-labelledby={label}>
      <p id={label} className="mb-1.5 flex items-baseline justify-between gap-3 text-13 font-medium">
        {heading ?? t('groups:form.members')}
        <span role="status" className="tabular font-normal text-muted">
          {chosen.length > 0 && t('groups:form.chosen', { count: chosen.length })}
        </span>
      </p>
      <ChosenPeople chosen={chosen} onTake={toggle} />
      <SearchField
        ref={ref}
        label={t('groups:form.search')}
        value={query}
        onValueChange={setQuery}
        autoComplete="off"
        aria-invalid={error ? true : undefined}
        onKeyDown={(event) => {
          // Enter chooses the first result. Otherwise, it would submit an incomplete form.
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          const [first] = offered;
          if (typed && first) toggle(first);
        }}
      />
      <p role="alert" className="mt-1.5 text-13 text-danger-text empty:hidden">
        {error}
      </p>
      <div className="mt-2 h-56 overflow-y-auto rounded-card border border-line">
        {loading ? (
          <SkeletonRows rows={3} label={t('contacts:loading')} />
        ) : offered.length === 0 ? (
          <p className="px-4 py-8 text-center text-14 text-balance text-muted">
            {t(typed ? 'groups:form.nobody' : 'groups:form.noContacts')}
            <span className="mt-1 block text-13">{t('groups:form.searchHint')}</span>
          </p>
        ) : offered.length <= plainRows ? (
          <ul>
            {offered.map((person) => (
              <li key={person.id}>{row(person)}</li>
            ))}
            {more && (
              <li>
                <More {...more} />
              </li>
            )}
          </ul>
        ) : (
          <Virtuoso
            className="h-full"
            tabIndex={-1}
            data={offered}
            context={{ label, more }}
            components={listComponents}
            computeItemKey={(_, { id }) => id}
            fixedItemHeight={56}
            increaseViewportBy={200}
            itemContent={(_, person) => <div role="listitem">{row(person)}</div>}
          />
        )}
      </div>
    </div>
  );
}

/** Chosen people. A press removes one. */
function ChosenPeople({ chosen, onTake }: { chosen: readonly ListedPerson[]; onTake: (person: ListedPerson) => void }) {
  const { t } = useTexts(contactsTexts, groupsTexts);
  const [allChosen, setAllChosen] = useState(false);
  if (chosen.length === 0) return null;
  return (
    <ul className="mb-2 flex max-h-24 flex-wrap gap-1.5 overflow-y-auto">
      {!allChosen && chosen.length > latestChosen && (
        <li>
          <Button kind="quiet" size="small" onClick={() => setAllChosen(true)}>
            {t('contacts:showMore')}
          </Button>
        </li>
      )}
      {(allChosen ? chosen : chosen.slice(-latestChosen)).map((person) => (
        <li key={person.id} className="min-w-0">
          <button
            type="button"
            onClick={() => onTake(person)}
            className="tap flex h-8 max-w-full items-center gap-1.5 rounded-full bg-accent-subtle ps-1 pe-2 text-13 font-medium text-accent-text hover:bg-pressed"
          >
            <span aria-hidden="true" className="contents">
              <Avatar name={person.displayName} imageUrl={person.profileImageUrl} size={24} />
              <span dir="auto" className="max-w-40 truncate">
                {person.displayName}
              </span>
            </span>
            <span className="sr-only">{t('groups:form.take', { name: person.displayName })}</span>
            <X aria-hidden="true" className="size-3.5 shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface MoreProps {
  busy: boolean;
  onMore: () => void;
}

function More({ busy, onMore }: MoreProps) {
  const { t } = useTexts(contactsTexts);
  return (
    <div className="flex justify-center p-2">
      <Button kind="quiet" size="small" busy={busy} onClick={onMore}>
        {t('contacts:showMore')}
      </Button>
    </div>
  );
}

interface ListContext {
  label: string;
  more: MoreProps | null;
}

/* Defined outside the component, because the list would remount everything if these functions changed. */
const listComponents = {
  List: ({ context, ...rest }: ComponentProps<'div'> & { context?: ListContext }) => (
    <div {...rest} role="list" aria-labelledby={context?.label} />
  ),
  Footer: ({ context }: { context?: ListContext }) => context?.more && <More {...context.more} />,
};
