import type { Meeting } from '@nolo/api';
import type { MeetingStatus } from '@nolo/rules';
import {
  Ban,
  CalendarPlus,
  CircleStop,
  Copy,
  EllipsisVertical,
  Hash,
  KeyRound,
  Link2,
  Pencil,
  RotateCw,
  Share2,
  type LucideIcon,
} from 'lucide-react';
import { Fragment, useId } from 'react';
import { Link } from 'react-router-dom';
import { browserSupport } from '../device/browserSupport.ts';
import { formatTimeUntil } from '../i18n/relativeTime.ts';
import { formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { classNames } from '../ui/classNames.ts';
import { buttonClasses } from '../ui/Button.tsx';
import { DropdownMenu, MenuItem, MenuSeparator } from '../ui/DropdownMenu.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { useNow } from '../shell/useNow.ts';
import { meetingPath } from '../shell/meetingPath.ts';
import { listMeetingActions, toEntranceAction, selectFaces, type MeetingAction } from './meetingList.ts';
import { formatDuration, findMeetingMoment, formatPlannedTime } from './meetingTimes.ts';
import { useHasRoomCodeExpired } from './useHasRoomCodeExpired.ts';
import { useTexts } from '../i18n/texts.ts';
import { meetingsTexts } from './meetingsTexts.ts';

export const meetingTones: Record<MeetingStatus, BadgeTone> = {
  live: 'accent',
  scheduled: 'info',
  created: 'neutral',
  completed: 'neutral',
  cancelled: 'danger',
};
export const meetingActionIcons: Record<MeetingAction, LucideIcon> = {
  copyLink: Copy,
  copyCode: Hash,
  share: Share2,
  calendar: CalendarPlus,
  edit: Pencil,
  invite: Link2,
  code: KeyRound,
  newCode: KeyRound,
  reopen: RotateCw,
  cancel: Ban,
  end: CircleStop,
};
/** Separator at the end of a line, never at the beginning of the next. */
const dot = '\u00a0· ';
export const dangerousActions: ReadonlySet<MeetingAction> = new Set(['cancel', 'end']);

export interface MeetingCardProps {
  meeting: Meeting;
  selfId: string;
  current: boolean;
  onAct: (action: MeetingAction, meeting: Meeting) => void;
}

/** Meeting in the list: title, time, participants, and a join button. */
export function MeetingCard({ meeting, selfId, current, onAct }: MeetingCardProps) {
  const { t } = useTexts(meetingsTexts);
  const nameId = useId();
  const { name, status, type, isHost, roomCode } = meeting;
  const entrance = browserSupport.connect() ? toEntranceAction(meeting) : null;
  const over = status === 'completed' || status === 'cancelled';
  const codeEnded = useHasRoomCodeExpired(meeting.codeExpiresAt) && !over;
  const actions = listMeetingActions(meeting, selfId, codeEnded);
  return (
    <article
      aria-labelledby={nameId}
      data-meeting={meeting.id}
      className={classNames(
        'relative flex min-h-28 flex-col gap-1.5 rounded-card border py-3.5 ps-4 pe-2 transition-colors duration-150',
        current ? 'border-accent bg-accent-subtle' : 'border-line bg-raised hover:bg-hover',
      )}
    >
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
          <h3 id={nameId} dir="auto" className="line-clamp-2 max-w-full text-15 font-semibold break-words">
            {/* The whole card links to the meeting, except its buttons. */}
            <Link
              to={`/meetings/${meeting.id}`}
              aria-current={current ? 'page' : undefined}
              className="outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:outline-focus"
            >
              {name}
            </Link>
          </h3>
          <Badge tone={meetingTones[status]}>
            {status === 'live' && <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />}
            {t(`meetings:status.${status}`)}
          </Badge>
        </div>
        <div className="relative flex shrink-0 items-start gap-1">
          {entrance !== null && (
            <Link
              to={meetingPath(roomCode)}
              aria-label={entrance === 'join' ? t('meetings:joinNamed', { name }) : t('meetings:startNamed', { name })}
              className={buttonClasses({ kind: entrance === 'join' ? 'primary' : 'secondary', size: 'small' })}
            >
              {entrance === 'join' ? t('meetings:join') : t('meetings:start')}
            </Link>
          )}
          {actions.length > 0 && (
            <DropdownMenu
              trigger={
                <IconButton
                  plain
                  size="small"
                  label={t('meetings:moreFor', { name })}
                  icon={<EllipsisVertical aria-hidden="true" />}
                />
              }
            >
              {actions.map((group, index) => (
                <Fragment key={group.join(' ')}>
                  {index > 0 && <MenuSeparator />}
                  {group.map((action) => {
                    const Icon = meetingActionIcons[action];
                    return (
                      <MenuItem
                        key={action}
                        icon={<Icon aria-hidden="true" />}
                        danger={dangerousActions.has(action)}
                        onSelect={() => onAct(action, meeting)}
                      >
                        {t(`meetings:menu.${action}`)}
                      </MenuItem>
                    );
                  })}
                </Fragment>
              ))}
            </DropdownMenu>
          )}
        </div>
      </div>
      <MeetingStartAndDuration meeting={meeting} />
      <div className="mt-auto flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <Faces meeting={meeting} />
        {isHost && <Badge tone="neutral">{t('meetings:host')}</Badge>}
        <Badge tone="neutral">{type === 'recurring' ? t('meetings:recurring') : t('meetings:oneTime')}</Badge>
        {codeEnded && <Badge tone="warning">{t('meetings:code.ended')}</Badge>}
      </div>
    </article>
  );
}

export function MeetingStartAndDuration({ meeting }: { meeting: Meeting }) {
  const { t } = useTexts(meetingsTexts);
  const locale = useLocale();
  const now = useNow();
  const { status, duration, recurrence } = meeting;
  const moment = findMeetingMoment(meeting);
  const at = moment === null ? null : Date.parse(moment);
  const time = at === null ? '' : formatTimeUntil(at, now, locale, t, 'inSentence');
  const when = () => {
    if (at === null) return t('meetings:anyTime');
    if (status === 'live') return t('meetings:startedAt', { time });
    if (status === 'completed') return t('meetings:endedAt', { time });
    if (status === 'cancelled') return t('meetings:cancelledAt', { time });
    return `${formatPlannedTime(at, now, locale)}${dot}${time}`;
  };
  return (
    <p className="tabular text-13 text-muted">
      {moment === null || at === null ? (
        when()
      ) : (
        <time dateTime={moment} title={formatExactTime(at, locale)}>
          {when()}
        </time>
      )}
      {duration !== null && `${dot}${formatDuration(duration, locale)}`}
      {recurrence !== 'none' && `${dot}${t(`meetings:form.recurrences.${recurrence}`)}`}
    </p>
  );
}

/** Shows three faces at most (spec section 2), and the number of people. */
function Faces({ meeting }: { meeting: Meeting }) {
  const { t } = useTexts(meetingsTexts);
  const { faces, more } = selectFaces(meeting);
  if (meeting.participantCount === 0) return null;
  return (
    <span className="flex items-center gap-2">
      {faces.length > 0 && (
        <span aria-hidden="true" className="flex items-center -space-x-1.5 rtl:space-x-reverse">
          {faces.map(({ id, displayName, profileImageUrl }) => (
            <Avatar
              key={id}
              name={displayName}
              imageUrl={profileImageUrl}
              size={24}
              className="rounded-full ring-2 ring-raised"
            />
          ))}
          {more > 0 && (
            <span className="tabular relative inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-sunken px-1 text-12 font-medium text-muted ring-2 ring-raised">
              +{more}
            </span>
          )}
        </span>
      )}
      <span className="text-13 text-muted">{t('meetings:people', { count: meeting.participantCount })}</span>
    </span>
  );
}
