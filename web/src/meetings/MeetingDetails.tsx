import type { Meeting } from '@nolo/api';
import { ArrowLeft, Share2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { browserSupport } from '../device/browserSupport.ts';
import { useSelf } from '../session/self.ts';
import { meetingPath, meetingUrl } from '../shell/meetingPath.ts';
import { useMediaQuery } from '../shell/useMediaQuery.ts';
import { useShareActions } from '../shell/useShareActions.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';
import { Button, buttonClasses } from '../ui/Button.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { dangerousActions, MeetingStartAndDuration, meetingActionIcons, meetingTones } from './MeetingCard.tsx';
import { listMeetingActions, toEntranceAction, selectFaces } from './meetingList.ts';
import { useHasRoomCodeExpired } from './useHasRoomCodeExpired.ts';
import type { MeetingActionHandler } from './useMeetingActionHandler.ts';
import { useTexts } from '../i18n/texts.ts';
import { meetingsTexts } from './meetingsTexts.ts';
import { roomCodeTexts } from '../i18n/roomCodeTexts.ts';

interface MeetingDetailsProps {
  meeting: Meeting;
  onAct: MeetingActionHandler;
  /** Returns to the list, if it is a separate screen. */
  onBack: () => void;
}

/** Actions with their own controls on the page, which the menu omits. */
const shownAlready: ReadonlySet<string> = new Set(['copyLink', 'copyCode', 'share']);

/** Link to the list, which is a separate screen on phones. */
export function BackToMeetings({ onBack }: { onBack: () => void }) {
  const { t } = useTexts(meetingsTexts);
  return (
    <div className="m-2 md:hidden">
      <IconButton label={t('meetings:backToList')} icon={<ArrowLeft className="rtl:-scale-x-100" />} onClick={onBack} />
    </div>
  );
}

export function MeetingDetails({ meeting, onAct, onBack }: MeetingDetailsProps) {
  const { t } = useTexts(meetingsTexts);
  const { id: selfId } = useSelf();
  const { name, status, description, isHost, type, codeExpiresAt } = meeting;
  // Phones show the list and its title on a separate screen.
  const Name = useMediaQuery('(min-width: 768px)') ? 'h2' : 'h1';
  const over = status === 'completed' || status === 'cancelled';
  const codeEnded = useHasRoomCodeExpired(codeExpiresAt) && !over;
  const groups = listMeetingActions(meeting, selfId, codeEnded);
  const actions = groups.flat().filter((action) => !shownAlready.has(action));
  const isOpen = !over && !codeEnded;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <BackToMeetings onBack={onBack} />
      <div className="mx-auto flex w-full max-w-140 flex-col gap-6 px-5 pb-8 md:pt-10">
        <header className="flex flex-col gap-2.5">
          <Name dir="auto" className="text-24 font-semibold tracking-tight text-ui-start wrap-anywhere">
            {name}
          </Name>
          <div className="flex flex-wrap items-center gap-2">
            <Badge tone={meetingTones[status]}>{t(`meetings:status.${status}`)}</Badge>
            {isHost && <Badge tone="neutral">{t('meetings:host')}</Badge>}
            <Badge tone="neutral">{type === 'recurring' ? t('meetings:recurring') : t('meetings:oneTime')}</Badge>
            {codeEnded && <Badge tone="warning">{t('meetings:code.ended')}</Badge>}
          </div>
          <MeetingStartAndDuration meeting={meeting} />
          {description !== '' && (
            <p dir="auto" className="text-15 text-ui-start wrap-anywhere whitespace-pre-line">
              {description}
            </p>
          )}
        </header>
        <WaysIn meeting={meeting} mayShare={isOpen} onAct={onAct} />
        {isOpen && <CodeAndLink meeting={meeting} />}
        <People meeting={meeting} />
        {actions.length > 0 && (
          <ul className="flex flex-col border-t border-line pt-2">
            {actions.map((action) => {
              const Icon = meetingActionIcons[action];
              return (
                <li key={action}>
                  <Button
                    kind="quiet"
                    wide
                    icon={<Icon aria-hidden="true" />}
                    className={`justify-start! px-2! ${dangerousActions.has(action) ? 'text-danger-text!' : ''}`}
                    onClick={() => onAct(action, meeting)}
                  >
                    {t(`meetings:menu.${action}`)}
                  </Button>
                </li>
              );
            })}
          </ul>
        )}
      </div>
    </div>
  );
}

function WaysIn({ meeting, mayShare, onAct }: { meeting: Meeting; mayShare: boolean; onAct: MeetingActionHandler }) {
  const { t } = useTexts(meetingsTexts);
  const { name, roomCode } = meeting;
  const entrance = browserSupport.connect() ? toEntranceAction(meeting) : null;
  if (entrance === null && !mayShare) return null;
  return (
    <div className="flex flex-wrap gap-2 *:flex-1">
      {entrance !== null && (
        <Link
          to={meetingPath(roomCode)}
          aria-label={t(entrance === 'join' ? 'meetings:joinNamed' : 'meetings:startNamed', { name })}
          className={buttonClasses({ size: 'large' })}
        >
          {t(entrance === 'join' ? 'meetings:join' : 'meetings:start')}
        </Link>
      )}
      {mayShare && (
        <Button
          kind="secondary"
          size="large"
          icon={<Share2 aria-hidden="true" />}
          onClick={() => onAct('share', meeting)}
        >
          {t('meetings:menu.share')}
        </Button>
      )}
    </div>
  );
}

function CodeAndLink({ meeting: { roomCode } }: { meeting: Meeting }) {
  const { t } = useTexts(meetingsTexts, roomCodeTexts);
  const { copy } = useShareActions();
  const url = meetingUrl(roomCode);
  return (
    <div className="flex flex-col gap-4">
      <CopyField
        label={t('meetings:share.link')}
        value={url}
        copyLabel={t('roomCode:copyLink')}
        onCopy={() => void copy(url, t('meetings:share.linkCopied'))}
      />
      <CopyField
        large
        label={t('roomCode:code')}
        value={roomCode}
        copyLabel={t('roomCode:copyCode')}
        onCopy={() => void copy(roomCode, t('roomCode:codeCopied'))}
      />
    </div>
  );
}

/** Current or past participants known to the list. */
function People({ meeting }: { meeting: Meeting }) {
  const { t } = useTexts(meetingsTexts);
  const { faces, more } = selectFaces(meeting);
  if (faces.length === 0) return null;
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="text-12 font-semibold text-muted">{t('meetings:whoWasThere')}</h3>
      <ul className="flex flex-col gap-2">
        {faces.map(({ id, displayName, profileImageUrl }) => (
          <li key={id} className="flex items-center gap-3">
            <Avatar name={displayName} imageUrl={profileImageUrl} size={32} />
            <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-14">
              {displayName}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-13 text-muted">{t('meetings:morePeople', { count: more })}</p>}
    </section>
  );
}
