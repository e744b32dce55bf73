import { CloudOff, Clock3, UserPlus, VolumeX } from 'lucide-react';
import { createLimitDetails } from '@nolo/rules';
import { useStore } from 'zustand';
import { ApiError, notifyPlanLimit } from '../../api/request.ts';
import { formatClockTime } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { featureStore } from '../../session/features.ts';
import { AnnouncementBanners } from '../../shell/AnnouncementBanners.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { NoMediaPathBanner } from './NoMediaPathBanner.tsx';
import { personName, useRoomState, useRoomSession } from './roomContext.ts';
import { useHostActions } from './useHostActions.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Offers more meeting time to the owner of the plan. */
function LiftTime() {
  const { t } = useTexts(meetingTexts);
  const minutes = useRoomState((state) => state.planMinutes);
  const isHost = useRoomState((state) => state.participants[state.selfId ?? '']?.role === 'host');
  const sells = useStore(featureStore, ({ features }) => features['billing'] === true);
  if (minutes === null || !isHost || !sells) return null;
  const showPlanLimit = () => {
    const details = { ...createLimitDetails('meetingMinutes', minutes) };
    notifyPlanLimit(new ApiError(402, { code: 'plan_limit', details }, ''));
  };
  return (
    <Button size="small" onClick={showPlanLimit}>
      {t('meeting:room.liftTime')}
    </Button>
  );
}

interface RoomBannersProps {
  onShowPeople: () => void;
  /** True if the people list is visible, which already shows who asks to join. */
  peopleShown?: boolean;
}

/** Banners about the room's state, over the stage or what covers it. */
export function RoomBanners({ onShowPeople, peopleShown = false }: RoomBannersProps) {
  const { t } = useTexts(meetingTexts);
  const locale = useLocale();
  const session = useRoomSession();
  const reconnecting = useRoomState((state) => state.reconnecting);
  const noPath = useRoomState((state) => state.noPath);
  const soundBlocked = useRoomState((state) => state.soundBlocked);
  const endsAt = useRoomState((state) => state.warnedEndsAt);
  return (
    <>
      <AnnouncementBanners />
      <NoMediaPathBanner />
      {reconnecting && !noPath && (
        <Banner tone="warning" icon={<CloudOff />}>
          {t('meeting:room.reconnecting')}
        </Banner>
      )}
      {soundBlocked && (
        <Banner
          tone="accent"
          icon={<VolumeX />}
          action={
            <Button size="small" onClick={() => session.store.setState({ soundBlocked: false })}>
              {t('meeting:room.playSound')}
            </Button>
          }
        >
          {t('meeting:room.soundBlocked')}
        </Banner>
      )}
      {endsAt !== null && (
        <Banner tone="warning" icon={<Clock3 />} action={<LiftTime />}>
          {t('meeting:room.timeWarning', { time: formatClockTime(Date.parse(endsAt), locale) })}
        </Banner>
      )}
      {!peopleShown && <Knocking onShowPeople={onShowPeople} />}
    </>
  );
}

/** People who ask to join. Several are shown in the list before they are admitted. */
function Knocking({ onShowPeople }: { onShowPeople: () => void }) {
  const { t } = useTexts(meetingTexts);
  const last = useRoomState((state) => state.lobby.at(-1));
  const count = useRoomState((state) => new Set(state.lobby.map(({ userId }) => userId)).size);
  const { moderate } = useHostActions();
  if (!last) return null;
  const { userId } = last;
  const name = personName(last, t);
  return (
    <Banner
      tone="info"
      icon={<UserPlus />}
      action={
        <>
          <Button size="small" kind={count > 1 ? 'primary' : 'secondary'} onClick={onShowPeople}>
            {t('meeting:people.show')}
          </Button>
          {count === 1 && (
            <Button
              size="small"
              aria-label={t('meeting:people.admitNamed', { name })}
              onClick={() => void moderate('admit', userId)}
            >
              {t('meeting:people.admit')}
            </Button>
          )}
        </>
      }
    >
      {t('meeting:people.waitingInLobby', { count, name })}
    </Banner>
  );
}
