import {
  Ban,
  CircleAlert,
  CircleCheck,
  Clock3,
  DoorClosed,
  Lock,
  MonitorSmartphone,
  SearchX,
  Users,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { RoomEndReason } from '@nolo/client/rooms/roomState';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

const icons: Readonly<Record<RoomEndReason, LucideIcon>> = {
  left: DoorClosed,
  handed_on: DoorClosed,
  ended: CircleCheck,
  time_limit: Clock3,
  cancelled: Ban,
  removed: Ban,
  denied: Ban,
  not_found: SearchX,
  over: CircleCheck,
  locked: Lock,
  full: Users,
  devices: MonitorSmartphone,
  sign_in: Lock,
  failed: CircleAlert,
};
/** Reasons after which a retry may succeed. */
const mayChange: ReadonlySet<RoomEndReason> = new Set(['locked', 'full', 'devices', 'failed', 'denied', 'removed']);

export interface NotInMeetingScreenProps {
  reason: RoomEndReason;
  /** Server's message, if there is no text for the reason. */
  message?: string | undefined;
  /** Current host, for `handed_on`. */
  nextHost?: string | undefined;
  onHome: () => void;
  onRetry: () => void;
  onSignIn?: ((way: 'phone' | 'provider') => void) | undefined;
}

/** Explains why the user is not in the meeting, and offers actions. */
export function NotInMeetingScreen({ reason, message, nextHost, onHome, onRetry, onSignIn }: NotInMeetingScreenProps) {
  const { t } = useTexts(meetingTexts);
  const Icon = icons[reason];
  const retries = mayChange.has(reason);
  const described =
    reason === 'handed_on'
      ? nextHost === undefined
        ? t('meeting:over.handed_on.textNobody')
        : t('meeting:over.handed_on.text', { name: nextHost })
      : t(`meeting:over.${reason}.text`);
  // A retry fails until a host changes their mind.
  const waits = reason === 'removed';
  return (
    <main className="grid h-dvh place-items-center bg-page" data-testid={`meeting-over-${reason}`}>
      <EmptyState
        whole
        icon={<Icon />}
        title={t(`meeting:over.${reason}.title`)}
        description={reason === 'failed' && message ? message : described}
        action={
          <>
            {reason === 'sign_in' && onSignIn && (
              <>
                <Button onClick={() => onSignIn('provider')}>{t('meeting:over.signIn')}</Button>
                <Button kind="secondary" onClick={() => onSignIn('phone')}>
                  {t('meeting:over.phone')}
                </Button>
              </>
            )}
            {retries && (
              <Button kind={waits ? 'secondary' : 'primary'} onClick={onRetry}>
                {t('meeting:over.retry')}
              </Button>
            )}
            <Button kind={(retries && !waits) || reason === 'sign_in' ? 'secondary' : 'primary'} onClick={onHome}>
              {t('common.goBackHome')}
            </Button>
            {reason === 'handed_on' && (
              <Button kind="secondary" onClick={onRetry}>
                {t('meeting:over.handed_on.rejoin')}
              </Button>
            )}
          </>
        }
      />
    </main>
  );
}
