import { Outlet, useParams, Link } from 'react-router-dom';
import type { Call } from '@nolo/api';
import { Phone, PhoneIncoming, PhoneMissed, PhoneOutgoing } from 'lucide-react';
import { ChatsOrCallsSwitch } from '../shell/ChatsOrCallsSwitch.tsx';
import { Panes } from '../shell/Panes.tsx';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { useSelf } from '../session/self.ts';
import { useLocale } from '../i18n/locale.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { buttonClasses } from '../ui/Button.tsx';
import { classNames } from '../ui/classNames.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PagedRows } from '../ui/PagedRows.tsx';
import { formatConversationTime } from '../chat/words/formatConversationTime.ts';
import { useMediaQuery } from '../shell/useMediaQuery.ts';
import { useNow } from '../shell/useNow.ts';
import { CallButtons } from '../chat/calling/CallButtons.tsx';
import { describeCallOutcome, isMissedCall } from '../chat/words/callWords.ts';
import { conversationIdOfCall, otherParticipant } from './model/callPhase.ts';
import { useCallPages } from './callPages.ts';
import { callSeconds } from './callSeconds.ts';
import { useTexts } from '../i18n/texts.ts';
import { callTexts } from '../chat/words/callTexts.ts';
import { callsTexts } from './callsTexts.ts';

/** Page `/calls`: the list of calls at the start edge, and the details of one next to it. */
export function CallsLayout() {
  const { t } = useTexts(callsTexts);
  const { id } = useParams();
  useDocumentTitle(t('calls:listTitle'));
  return (
    <Panes
      list={
        <>
          <ScreenHeader title={t('calls:listTitle')} />
          <ChatsOrCallsSwitch />
          <div className="min-h-0 flex-1 overflow-y-auto pb-4">
            <CallList />
          </div>
        </>
      }
      content={<Outlet />}
      contentOpen={id !== undefined}
    />
  );
}

function CallList() {
  const { t } = useTexts(callsTexts);
  return (
    <PagedRows
      list={useCallPages()}
      words={{ failed: t('calls:listFailed'), loading: t('calls:listLoading'), more: t('calls:showMore') }}
      empty={
        <EmptyState
          className="pt-16"
          icon={<Phone />}
          title={t('calls:listEmptyTitle')}
          description={t('calls:listEmptyText')}
          action={
            <Link to="/contacts" className={buttonClasses({ kind: 'secondary' })}>
              {t('calls:listEmptyAction')}
            </Link>
          }
        />
      }
      label={t('calls:listTitle')}
      placeholder={{ rows: 4, className: 'pt-16' }}
      moreButton={{ className: 'mx-auto mt-3 flex!' }}
    >
      {(call) => <CallRow key={call.id} call={call} />}
    </PagedRows>
  );
}

function CallRow({ call }: { call: Call }) {
  const { t } = useTexts(callTexts, callsTexts);
  const self = useSelf();
  const locale = useLocale();
  // Next to the list there is room for the call's details; on phones, a press opens the conversation.
  const wide = useMediaQuery('(min-width: 768px)');
  const current = useParams()['id'] === call.id;
  const own = call.callerId === self.id;
  const other = otherParticipant(call, self.id);
  const conversationId = conversationIdOfCall(call, self.id);
  const name = other?.user?.displayName ?? t('chats.deletedAccount');
  const callResult = {
    callType: call.type,
    outcome: call.endReason ?? 'completed',
    durationSeconds: callSeconds(call),
  } as const;
  const missed = call.endReason !== null && isMissedCall(callResult, own);
  const Direction = missed ? PhoneMissed : own ? PhoneOutgoing : PhoneIncoming;
  const { text, exact } = formatConversationTime(Date.parse(call.createdAt), useNow(), locale);
  return (
    <li
      className={classNames(
        '@container relative mx-2 flex h-17 items-center gap-1 rounded-card pe-1',
        current ? 'bg-accent-subtle' : 'hover:bg-hover',
      )}
    >
      <Link
        to={wide ? `/calls/${call.id}` : `/chat/${conversationId ?? other?.userId ?? ''}`}
        aria-current={current ? 'page' : undefined}
        className="flex h-full min-w-0 flex-1 items-center gap-3 rounded-card px-2.5 outline-offset-[-2px]"
      >
        {/* The narrowest phones need the space for text. */}
        <Avatar name={name} imageUrl={other?.user?.profileImageUrl} size={48} className="max-[22rem]:hidden" />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span
              dir="auto"
              className={classNames(
                'min-w-0 flex-1 truncate text-ui-start text-15 font-medium',
                missed && 'text-danger-text',
              )}
            >
              {name}
            </span>
            <time dateTime={call.createdAt} title={exact} className="tabular shrink-0 text-12 text-muted">
              {text}
            </time>
          </span>
          <span className="flex items-center gap-1.5 text-13 text-muted">
            <Direction aria-hidden="true" className={classNames('size-4 shrink-0', missed && 'text-danger-text')} />
            <span className="tabular truncate">
              {call.status === 'ended' ? describeCallOutcome(callResult, own, t) : t('calls:goingOn')}
            </span>
          </span>
        </span>
      </Link>
      {other?.user && (
        <CallButtons
          target={conversationId === null ? { userId: other.userId } : { conversationId }}
          name={name}
          // If they would leave no room for the name, the buttons are in the view that a press on the row opens.
          className="row-actions pointer-coarse:@max-[18rem]:hidden"
        />
      )}
    </li>
  );
}
