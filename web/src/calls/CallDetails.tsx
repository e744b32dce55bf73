import { routes, type Call } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, MessageCircle, Timer, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import { call as request } from '../api/httpClient.ts';
import { describeCallOutcome, formatCallDuration } from '../chat/words/callWords.ts';
import { listOfNames, useLocale } from '../i18n/locale.ts';
import { useSelf } from '../session/self.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { buttonClasses } from '../ui/Button.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { CallChoices } from '../chat/calling/CallChoices.tsx';
import { conversationIdOfCall, otherParticipant } from './model/callPhase.ts';
import { callSeconds } from './callSeconds.ts';
import { BackLink } from '../shell/BackLink.tsx';
import { useTexts } from '../i18n/texts.ts';
import { callTexts } from '../chat/words/callTexts.ts';
import { callsTexts } from './callsTexts.ts';

/** Page `/calls/{id}`: with whom, when and how long, and ways to contact them again. */
export function CallDetails() {
  const { t } = useTexts(callsTexts);
  const { id = '' } = useParams();
  const { data, isError, refetch } = useQuery({
    queryKey: ['calls', 'one', id],
    queryFn: ({ signal }) => request(routes.getCall, { params: { id }, signal }),
  });
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <BackLink to="/calls" label={t('calls:backToCalls')} className="m-2 md:hidden" />
      {data ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <Known call={data} />
        </div>
      ) : isError ? (
        <ErrorState className="flex-1" title={t('calls:oneFailed')} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={2} label={t('calls:listLoading')} />
      )}
    </div>
  );
}

function Known({ call }: { call: Call }) {
  const { t } = useTexts(callTexts, callsTexts);
  const locale = useLocale();
  const self = useSelf();
  const own = call.callerId === self.id;
  const other = otherParticipant(call, self.id);
  const conversationId = conversationIdOfCall(call, self.id);
  const name = other?.user?.displayName ?? t('chats.deletedAccount');
  const seconds = callSeconds(call);
  const callResult = { callType: call.type, outcome: call.endReason ?? 'completed', durationSeconds: 0 } as const;
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
  const others = call.participants.filter(({ userId }) => userId !== self.id);
  const target = conversationId === null ? { userId: other?.userId ?? '' } : { conversationId };
  return (
    <article className="mx-auto flex w-full max-w-100 flex-col items-center px-5 pt-10 pb-8">
      <Avatar name={name} imageUrl={other?.user?.profileImageUrl} size={96} />
      <h2 dir="auto" className="mt-4 max-w-full text-center text-20 font-semibold tracking-tight wrap-anywhere">
        {name}
      </h2>
      <p className="mt-1 text-14 text-muted">
        {call.status === 'ended' ? describeCallOutcome(callResult, own, t) : t('calls:goingOn')}
      </p>
      {other?.user && (
        <div className="mt-6 flex w-full flex-col gap-2">
          <Link to={`/chat/${conversationId ?? other.userId}`} className={buttonClasses({ size: 'large', wide: true })}>
            <MessageCircle aria-hidden="true" />
            {t('calls:message')}
          </Link>
          <CallChoices target={target} />
        </div>
      )}
      <dl className="mt-6 flex w-full flex-col gap-3 border-t border-line pt-4">
        <Fact icon={<CalendarClock />} name={t('calls:when')}>
          <time dateTime={call.createdAt}>{when.format(new Date(call.createdAt))}</time>
        </Fact>
        {seconds > 0 && (
          <Fact icon={<Timer />} name={t('calls:length')}>
            {formatCallDuration(seconds)}
          </Fact>
        )}
        {others.length > 1 && (
          <Fact icon={<UsersRound />} name={t('calls:who')}>
            {listOfNames(
              locale,
              others.map(({ user }) => user?.displayName ?? t('chats.deletedAccount')),
            )}
          </Fact>
        )}
      </dl>
    </article>
  );
}

function Fact({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3">
      <dt className="pt-0.5 text-muted [&_svg]:size-[18px]">
        {icon}
        <span className="sr-only">{name}</span>
      </dt>
      <dd dir="auto" className="tabular min-w-0 text-14 wrap-anywhere">
        {children}
      </dd>
    </div>
  );
}
