import type { Conversation, GroupMember } from '@nolo/api';
import { useCallback, useId, useMemo, useState, type ComponentProps } from 'react';
import { Virtuoso } from 'react-virtuoso';
import { useChatState } from '../chat/context/chatContext.ts';
import { useSelf } from '../session/self.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { filterMembers } from './filterMembers.ts';
import { useGroupMembers } from '../chat/context/groupScreenQueries.ts';
import { MemberRow, type MemberAction } from './MemberRow.tsx';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

/** Maximum members without search and virtual list. */
const plainRows = 12;

/** Members of a longer list shown before it is expanded. */
const foldedRows = 6;

export interface MemberListProps {
  conversation: Conversation;
  onAct: (action: MemberAction, member: GroupMember) => void;
}

/** Lists all members of the group. Only those near the screen exist as elements. */
export function MemberList({ conversation, onAct }: MemberListProps) {
  const { t } = useTexts(groupsTexts);
  const heading = useId();
  const self = useSelf();
  const { id, memberCount, myRole } = conversation;
  const offline = useChatState((state) => state.connection !== 'open');
  const { members, failed, fetching, retry } = useGroupMembers(id);
  const [query, setQuery] = useState('');
  const [all, setAll] = useState(false);
  const [pane, setPane] = useState<HTMLElement | null>(null);
  // The list scrolls with the surrounding pane, which differs by screen size.
  const findPane = useCallback(
    (element: HTMLElement | null) => setPane(element?.closest('.overflow-y-auto') as HTMLElement | null),
    [],
  );
  const shown = useMemo(
    () => filterMembers(members ?? [], query, self.id, t('common.you')),
    [members, query, self.id, t],
  );

  const row = (member: GroupMember) => (
    <MemberRow member={member} ownRole={myRole} isSelf={member.userId === self.id} onAct={onAct} />
  );
  const body = () => {
    if (members === undefined) {
      if (!failed) return <SkeletonRows rows={Math.min(memberCount, 6)} label={t('groups:details.loadingMembers')} />;
      return (
        <ErrorState
          className="py-6!"
          title={t('groups:details.membersFailed')}
          {...(offline && { description: t('groups:admission.offline') })}
          retrying={fetching}
          onRetry={retry}
        />
      );
    }
    if (shown.length === 0) {
      return <p className="px-5 py-6 text-center text-14 text-muted">{t('groups:details.noMembers')}</p>;
    }
    // A long list starts folded, because the other details of the group are below it.
    const folded = shown.length > plainRows && !all && query.trim() === '';
    if (shown.length <= plainRows || folded) {
      return (
        <>
          <ul aria-labelledby={heading}>
            {shown.slice(0, folded ? foldedRows : plainRows).map((member) => (
              <li key={member.userId}>{row(member)}</li>
            ))}
          </ul>
          {folded && (
            <div className="px-5 pt-2">
              <Button kind="secondary" size="small" wide onClick={() => setAll(true)}>
                {t('groups:details.allMembers', { count: shown.length })}
              </Button>
            </div>
          )}
        </>
      );
    }
    if (!pane) return null;
    return (
      <Virtuoso
        customScrollParent={pane}
        data={shown}
        context={{ heading }}
        components={listComponents}
        computeItemKey={(_, { userId }) => userId}
        fixedItemHeight={56}
        increaseViewportBy={200}
        itemContent={(_, member) => <div role="listitem">{row(member)}</div>}
      />
    );
  };
  return (
    <section ref={findPane} aria-labelledby={heading}>
      <h3 id={heading} className="flex items-baseline justify-between gap-3 px-5 pb-1.5 text-14 font-semibold">
        {t('groups:details.members')}
        <span className="tabular text-13 font-normal text-muted">{memberCount}</span>
      </h3>
      {memberCount > plainRows && (
        <SearchField
          className="mx-5 my-1.5"
          label={t('groups:details.searchMembers')}
          value={query}
          onValueChange={setQuery}
          autoComplete="off"
        />
      )}
      {body()}
      {failed && members !== undefined && (
        <ErrorState className="py-4!" title={t('groups:details.membersFailed')} retrying={fetching} onRetry={retry} />
      )}
    </section>
  );
}

interface ListContext {
  heading: string;
}

const listComponents = {
  List: ({ context, ...rest }: ComponentProps<'div'> & { context?: ListContext }) => (
    <div {...rest} role="list" aria-labelledby={context?.heading} />
  ),
};
