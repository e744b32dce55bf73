import { CalendarClock, ChevronRight, Phone, Radio, Users } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useStore } from 'zustand';
import { featureStore } from '../session/features.ts';
import { classNames } from '../ui/classNames.ts';
import { CounterTile, counterTileClasses } from '../ui/CounterTile.tsx';
import type { MeetingCount } from './meetingList.ts';
import { useTexts } from '../i18n/texts.ts';
import { meetingsTexts } from './meetingsTexts.ts';

type Unknown = 'failed' | null;

const textOf = (value: MeetingCount | Unknown) =>
  value === null ? undefined : value === 'failed' ? '–' : `${value.count}${value.exact ? '' : '+'}`;
const padding = 'px-3 @[26rem]:px-4';

export interface MeetingCountersProps {
  counts: { live: MeetingCount; scheduled: MeetingCount } | Unknown;
  groups: MeetingCount | Unknown;
}

export function MeetingCounters({ counts, groups }: MeetingCountersProps) {
  const { t } = useTexts(meetingsTexts);
  const features = useStore(featureStore, (state) => state.features);
  const hasGroups = features['groups'] === true;
  const { live, scheduled } = counts === null || counts === 'failed' ? { live: counts, scheduled: counts } : counts;
  const hasCalls = features['calls'] === true;
  return (
    // Container as wide as the list below it.
    <div className="@container">
      <div className="grid grid-cols-2 gap-3">
        <CounterTile
          className={padding}
          label={t('meetings:liveNow')}
          Icon={Radio}
          value={textOf(live)}
          active={live !== null && live !== 'failed' && live.count > 0}
        />
        <CounterTile
          className={padding}
          label={t('meetings:scheduled')}
          Icon={CalendarClock}
          value={textOf(scheduled)}
        />
        {hasGroups && (
          <CounterTile className={padding} label={t('meetings:groupChats')} Icon={Users} value={textOf(groups)} />
        )}
        {hasCalls && (
          <Link
            to="/calls"
            className={classNames(
              counterTileClasses,
              padding,
              'transition-colors duration-150 hover:bg-hover active:bg-pressed',
              !hasGroups && 'col-span-2 min-h-15',
            )}
          >
            <span
              aria-hidden="true"
              className="hidden size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted @[22rem]:flex"
            >
              <Phone className="size-5" />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate text-14 font-semibold">{t('nav.calls')}</span>
              {/* A quarter of the width leaves no room for it. */}
              {!hasGroups && <span className="block text-13 text-muted">{t('meetings:callsText')}</span>}
            </span>
            <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted rtl:-scale-x-100" />
          </Link>
        )}
      </div>
    </div>
  );
}
