import { routes, type Seat, type Team } from '@nolo/api';
import { ArrowRightLeft, EllipsisVertical, UserMinus, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { ApiError, call } from '../api/httpClient.ts';
import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { sizeText } from '../i18n/sizeText.ts';
import { ProfileSubpageFrame } from '../shell/ProfileSubpageFrame.tsx';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { useSelf } from '../session/self.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';
import { Button, buttonClasses } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuItem } from '../ui/DropdownMenu.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Meter } from '../ui/Meter.tsx';
import { QueryPlaceholder } from '../ui/QueryPlaceholder.tsx';
import { useTeam } from './billingQueries.ts';
import { useBilling } from '../session/plan.ts';
import { SeatInviteDialog } from './SeatInviteDialog.tsx';
import { PurchaseDialog } from './PurchaseDialog.tsx';
import { useBillingDateFormatter } from './useBillingDateFormatter.ts';
import { useSeatAction } from './useSeatAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

/** Page `/team`: the seats of a Business plan, for its buyer and its members. */
export function TeamScreen() {
  const { t } = useTexts(billingTexts);
  useDocumentTitle(t('billing:teamPage.title'));
  return (
    <ProfileSubpageFrame title={t('billing:teamPage.title')} back={t('billing:teamPage.back')}>
      <TeamContent />
    </ProfileSubpageFrame>
  );
}

function TeamContent() {
  const { t } = useTexts(billingTexts);
  const self = useSelf();
  const query = useTeam();
  const { data: team, error } = query;
  if (error instanceof ApiError && error.code === 'team_not_found') {
    return (
      <EmptyState
        className="pt-16"
        icon={<Users />}
        title={t('billing:teamPage.none')}
        description={t('billing:teamPage.noneText')}
        action={
          <Link to="/settings/plan#plans" className={buttonClasses()}>
            {t('billing:teamPage.seePlans')}
          </Link>
        }
      />
    );
  }
  if (team === undefined) {
    return (
      <QueryPlaceholder
        className="pt-16"
        query={query}
        failed={t('billing:teamPage.loadFailed')}
        loading={t('billing:teamPage.title')}
      />
    );
  }
  const isOwner = team.ownerId === self.id;
  return (
    <>
      {isOwner ? <Seats team={team} /> : <TeamMembership team={team} />}
      <Card title={t('billing:teamPage.members')}>
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
  const { t } = useTexts(billingTexts);
  const date = useBillingDateFormatter();
  const { data: billing } = useBilling();
  const [open, setOpen] = useState<'invite' | 'more' | null>(null);
  const taken = team.members.length;
  const free = team.seats - taken;
  return (
    <Card
      {...(team.periodEndsAt !== null && {
        description: t('billing:teamPage.paidUntil', { date: date(team.periodEndsAt) }),
      })}
      title={t('billing:teamPage.title')}
    >
      <Meter
        label={t('billing:teamPage.seats')}
        text={t('billing:teamPage.seatsUsed', { taken, count: team.seats })}
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
          {t('billing:teamPage.invite')}
        </Button>
        {billing?.plan === 'business' && billing.source === 'own' && (
          <Button kind={free > 0 ? 'secondary' : 'primary'} onClick={() => setOpen('more')}>
            {t('billing:teamPage.moreSeats')}
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

/** User's own seat in another user's team, or the invitation to one. */
function TeamMembership({ team }: { team: Team }) {
  const { t } = useTexts(billingTexts);
  const date = useBillingDateFormatter();
  const self = useSelf();
  const free = () => call(routes.freeSeat, { params: { id: self.id } });
  const accept = useSeatAction(
    () => call(routes.acceptSeat, { params: { id: team.ownerId } }),
    t('billing:teamPage.accepted'),
  );
  const decline = useSeatAction(free, t('billing:teamPage.declined'));
  const leave = useSeatAction(free, t('billing:teamPage.left'));
  const busy = accept.busy || decline.busy;
  const [leaving, setLeaving] = useState(false);
  const own = team.members.find(({ userId }) => userId === self.id);
  const owner = team.members.find(({ state }) => state === 'owner')?.user?.displayName;

  if (own?.state === 'invited') {
    return (
      <Card
        title={
          owner === undefined
            ? t('billing:teamPage.invitationSomebody')
            : t('billing:teamPage.invitation', { name: owner })
        }
        description={t('billing:teamPage.invitationText')}
      >
        <p className="mb-4 text-13 text-muted">{t('billing:teamPage.seen')}</p>
        <div className="flex flex-wrap gap-2">
          <Button busy={busy} onClick={() => void accept.run()}>
            {t('billing:teamPage.accept')}
          </Button>
          <Button kind="secondary" disabled={busy} onClick={() => void decline.run()}>
            {t('billing:teamPage.decline')}
          </Button>
        </div>
      </Card>
    );
  }
  return (
    <Card
      title={owner ?? t('billing:teamPage.title')}
      {...(team.periodEndsAt !== null && {
        description: t('billing:comes.seatUntil', { date: date(team.periodEndsAt) }),
      })}
    >
      <p className="mb-4 text-13 text-muted">{t('billing:teamPage.seen')}</p>
      <Button kind="secondary" size="small" onClick={() => setLeaving(true)}>
        {t('billing:teamPage.leave')}
      </Button>
      <ConfirmDialog
        open={leaving}
        onCancel={() => setLeaving(false)}
        title={t('billing:teamPage.leaveTitle')}
        text={t('billing:teamPage.leaveText')}
        confirmLabel={t('billing:teamPage.leave')}
        onConfirm={async () => {
          if (await leave.run()) setLeaving(false);
        }}
      />
    </Card>
  );
}

const tones = { owner: 'accent', invited: 'warning', member: 'neutral' } as const;

/** Seat with its member, their usage this month and number of devices, but never their content. */
function SeatRow({ seat, team }: { seat: Seat; team: Team }) {
  const { t } = useTexts(billingTexts);
  const self = useSelf();
  const [openDialog, setOpenDialog] = useState<'takeBack' | 'move' | null>(null);
  const takeBack = useSeatAction(
    () => call(routes.freeSeat, { params: { id: seat.userId } }),
    t('billing:teamPage.takenBack'),
  );
  const name = seat.user?.displayName ?? t('billing:teamPage.gone');
  const isChangeable = team.ownerId === self.id && seat.state !== 'owner';
  return (
    <li className="flex min-h-16 items-center gap-3 px-1 py-2">
      <Avatar name={name} imageUrl={seat.user?.profileImageUrl ?? null} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <p dir="auto" className="max-w-full min-w-0 text-ui-start text-15 font-medium wrap-anywhere">
            {seat.userId === self.id ? t('billing:teamPage.you', { name }) : name}
          </p>
          <Badge tone={tones[seat.state]}>{t(`billing:teamPage.states.${seat.state}`)}</Badge>
        </div>
        <Usage seat={seat} />
      </div>
      {isChangeable && (
        <DropdownMenu
          align="end"
          trigger={<IconButton plain label={t('billing:teamPage.menu', { name })} icon={<EllipsisVertical />} />}
        >
          <MenuItem icon={<ArrowRightLeft />} onSelect={() => setOpenDialog('move')}>
            {t('billing:teamPage.move')}
          </MenuItem>
          <MenuItem icon={<UserMinus />} danger onSelect={() => setOpenDialog('takeBack')}>
            {t('billing:teamPage.takeBack')}
          </MenuItem>
        </DropdownMenu>
      )}
      <ConfirmDialog
        open={openDialog === 'takeBack'}
        onCancel={() => setOpenDialog(null)}
        title={t('billing:teamPage.takeBackTitle', { name })}
        text={t('billing:teamPage.takeBackText')}
        confirmLabel={t('billing:teamPage.takeBack')}
        onConfirm={async () => {
          if (await takeBack.run()) setOpenDialog(null);
        }}
      />
      {openDialog === 'move' && (
        <SeatInviteDialog team={team} free={1} from={{ id: seat.userId, name }} onClose={() => setOpenDialog(null)} />
      )}
    </li>
  );
}

function Usage({ seat: { usage, sessions } }: { seat: Seat }) {
  const { t } = useTexts(billingTexts);
  const locale = useLocale();
  if (usage === null) return null;
  const text = t('billing:teamPage.usage', {
    storage: sizeText(usage.storageBytes, locale, 1_024),
    minutes: new Intl.NumberFormat(locale).format(Math.ceil(usage.transcriptionSeconds / 60)),
    posts: new Intl.NumberFormat(locale).format(usage.scheduledPosts),
  });
  return (
    <div className="tabular text-13 text-muted">
      <p>
        <span className="sr-only">{t('billing:teamPage.usageLabel', { usage: text })}</span>
        <span aria-hidden="true">{text}</span>
      </p>
      {sessions !== null && <Sessions sessions={sessions} />}
    </div>
  );
}

/** Number of devices, and the day of last use; the server reveals no more. */
function Sessions({ sessions: { devices, lastUsedOn } }: { sessions: NonNullable<Seat['sessions']> }) {
  const { t } = useTexts(billingTexts);
  const locale = useLocale();
  if (lastUsedOn === null) return <p>{t('billing:teamPage.signedOut')}</p>;
  // Formats in UTC, so that every reader sees the same day.
  const date = getDateFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(lastUsedOn));
  return <p>{t('billing:teamPage.devices', { count: devices, date })}</p>;
}
