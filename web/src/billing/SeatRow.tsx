import type { Seat, Team } from '@nolo/api';
import { ArrowRightLeft, EllipsisVertical, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { useSelf } from '../session/self.ts';
import { sizeText } from '../i18n/sizeText.ts';
import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuItem } from '../ui/DropdownMenu.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { SeatInviteDialog } from './SeatInviteDialog.tsx';
import { useBillingWords } from './useBillingWords.ts';
import { useTeamSeatActions } from './useTeamSeatActions.ts';

const tones = { owner: 'accent', invited: 'warning', member: 'neutral' } as const;

/** Seat with its member, their usage this month and number of devices, but never their content. */
export function SeatRow({ seat, team }: { seat: Seat; team: Team }) {
  const { t } = useBillingWords();
  const self = useSelf();
  const [openDialog, setOpenDialog] = useState<'takeBack' | 'move' | null>(null);
  const { takeBack } = useTeamSeatActions();
  const name = seat.user?.displayName ?? t('billing.teamPage.gone');
  const isChangeable = team.ownerId === self.id && seat.state !== 'owner';
  return (
    <li className="flex min-h-16 items-center gap-3 px-1 py-2">
      <Avatar name={name} imageUrl={seat.user?.profileImageUrl ?? null} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <p dir="auto" className="max-w-full min-w-0 text-ui-start text-15 font-medium wrap-anywhere">
            {seat.userId === self.id ? t('billing.teamPage.you', { name }) : name}
          </p>
          <Badge tone={tones[seat.state]}>{t(`billing.teamPage.states.${seat.state}`)}</Badge>
        </div>
        <Usage seat={seat} />
      </div>
      {isChangeable && (
        <DropdownMenu
          align="end"
          trigger={<IconButton plain label={t('billing.teamPage.menu', { name })} icon={<EllipsisVertical />} />}
        >
          <MenuItem icon={<ArrowRightLeft />} onSelect={() => setOpenDialog('move')}>
            {t('billing.teamPage.move')}
          </MenuItem>
          <MenuItem icon={<UserMinus />} danger onSelect={() => setOpenDialog('takeBack')}>
            {t('billing.teamPage.takeBack')}
          </MenuItem>
        </DropdownMenu>
      )}
      <ConfirmDialog
        open={openDialog === 'takeBack'}
        onCancel={() => setOpenDialog(null)}
        title={t('billing.teamPage.takeBackTitle', { name })}
        text={t('billing.teamPage.takeBackText')}
        confirmLabel={t('billing.teamPage.takeBack')}
        onConfirm={async () => {
          if (await takeBack(seat.userId)) setOpenDialog(null);
        }}
      />
      {openDialog === 'move' && (
        <SeatInviteDialog team={team} free={1} from={{ id: seat.userId, name }} onClose={() => setOpenDialog(null)} />
      )}
    </li>
  );
}

function Usage({ seat: { usage, sessions } }: { seat: Seat }) {
  const { t } = useBillingWords();
  const locale = useLocale();
  if (usage === null) return null;
  const text = t('billing.teamPage.usage', {
    storage: sizeText(usage.storageBytes, locale, 1_024),
    minutes: new Intl.NumberFormat(locale).format(Math.ceil(usage.transcriptionSeconds / 60)),
    posts: new Intl.NumberFormat(locale).format(usage.scheduledPosts),
  });
  return (
    <div className="tabular text-13 text-muted">
      <p>
        <span className="sr-only">{t('billing.teamPage.usageLabel', { usage: text })}</span>
        <span aria-hidden="true">{text}</span>
      </p>
      {sessions !== null && <Sessions sessions={sessions} />}
    </div>
  );
}

/** Number of devices, and the day of last use; the server reveals no more. */
function Sessions({ sessions: { devices, lastUsedOn } }: { sessions: NonNullable<Seat['sessions']> }) {
  const { t } = useBillingWords();
  const locale = useLocale();
  if (lastUsedOn === null) return <p>{t('billing.teamPage.signedOut')}</p>;
  // Formats in UTC, so that every reader sees the same day.
  const date = getDateFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(lastUsedOn));
  return <p>{t('billing.teamPage.devices', { count: devices, date })}</p>;
}
