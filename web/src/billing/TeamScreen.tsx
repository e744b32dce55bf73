import type { Team } from '@nolo/api';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { ApiError } from '../api/httpClient.ts';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { useSelf } from '../session/self.ts';
import { Button, buttonClasses } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Meter } from '../ui/Meter.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { useTeam } from './billingQueries.ts';
import { useBilling } from '../session/plan.ts';
import { SeatInviteDialog } from './SeatInviteDialog.tsx';
import { ScreenFrame } from './ScreenFrame.tsx';
import { SeatRow } from './SeatRow.tsx';
import { TeamMembership } from './TeamMembership.tsx';
import { PurchaseDialog } from './PurchaseDialog.tsx';
import { useBillingWords } from './useBillingWords.ts';
import { useBillingDateFormatter } from './useBillingDateFormatter.ts';

/** Page `/team`: the seats of a Business plan, for its buyer and its members. */
export function TeamScreen() {
  const { t } = useBillingWords();
  useDocumentTitle(t('billing.teamPage.title'));
  return (
    <ScreenFrame title={t('billing.teamPage.title')}>
      <TeamContent />
    </ScreenFrame>
  );
}

function TeamContent() {
  const { t } = useBillingWords();
  const self = useSelf();
  const { data: team, error, isFetching, refetch } = useTeam();
  if (error instanceof ApiError && error.code === 'team_not_found') {
    return (
      <EmptyState
        className="pt-16"
        icon={<Users />}
        title={t('billing.teamPage.none')}
        description={t('billing.teamPage.noneText')}
        action={
          <Link to="/settings/plan#plans" className={buttonClasses()}>
            {t('billing.teamPage.seePlans')}
          </Link>
        }
      />
    );
  }
  if (team === undefined) {
    return error ? (
      <ErrorState
        className="pt-16"
        title={t('billing.teamPage.loadFailed')}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <SkeletonRows label={t('billing.teamPage.title')} />
    );
  }
  const isOwner = team.ownerId === self.id;
  return (
    <>
      {isOwner ? <Seats team={team} /> : <TeamMembership team={team} />}
      <Card title={t('billing.teamPage.members')}>
        <ul className="-mx-1 flex flex-col divide-y divide-line">
          {team.members.map((seat) => (
            <SeatRow key={seat.userId} seat={seat} team={team} />
          ))}
        </ul>
      </Card>
    </>
  );
}

/** Numbers of seats in total and in use, and a way to assign them. */
function Seats({ team }: { team: Team }) {
  const { t } = useBillingWords();
  const date = useBillingDateFormatter();
  const { data: billing } = useBilling();
  const [open, setOpen] = useState<'invite' | 'more' | null>(null);
  const taken = team.members.length;
  const free = team.seats - taken;
  return (
    <Card
      {...(team.periodEndsAt !== null && {
        description: t('billing.teamPage.paidUntil', { date: date(team.periodEndsAt) }),
      })}
      title={t('billing.teamPage.title')}
    >
      <Meter
        label={t('billing.teamPage.seats')}
        text={t('billing.teamPage.seatsUsed', { taken, count: team.seats })}
        used={taken}
        limit={team.seats}
        fills
      />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          kind={free > 0 ? 'primary' : 'secondary'}
          icon={<UserPlus />}
          disabled={free <= 0}
          onClick={() => setOpen('invite')}
        >
          {t('billing.teamPage.invite')}
        </Button>
        {billing?.plan === 'business' && billing.source === 'own' && (
          <Button kind={free > 0 ? 'secondary' : 'primary'} onClick={() => setOpen('more')}>
            {t('billing.teamPage.moreSeats')}
          </Button>
        )}
      </div>
      {open === 'invite' && <SeatInviteDialog team={team} free={free} onClose={() => setOpen(null)} />}
      {open === 'more' && billing && (
        <PurchaseDialog item="business" seats={team.seats + 1} billing={billing} onClose={() => setOpen(null)} />
      )}
    </Card>
  );
}
