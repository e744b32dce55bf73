import { CalendarClock, ChevronRight, Phone, Radio, Users } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useStore } from 'zustand';
import { featureStore } from '../session/features.ts';
import { classNames } from '../ui/classNames.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import type { MeetingCount } from './meetingList.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

const tile = 'flex min-h-19 items-center gap-3 rounded-card border border-line bg-raised px-3 py-3 @[26rem]:px-4';

/** Null while loading. */
type Unknown = 'failed' | null;

interface CounterProps {
  label: string;
  Icon: LucideIcon;
  value: MeetingCount | Unknown;
  /** True if something is live now, which highlights the counter. */
  active?: boolean;
}

function Counter({ label, Icon, value, active = false }: CounterProps) {
  return (
    <div className={tile}>
      <span
        aria-hidden="true"
        className={classNames(
          'hidden size-10 shrink-0 items-center justify-center rounded-full @[26rem]:flex',
          active ? 'bg-accent-subtle text-accent-text' : 'bg-sunken text-muted',
        )}
      >
        <Icon className="size-5" />
      </span>
      <p className="min-w-0">
        {value === null ? (
          <Skeleton className="my-1 h-6 w-8" />
        ) : (
          <span className={classNames('tabular block text-24 font-semibold', active && 'text-accent-text')}>
            {value === 'failed' ? '–' : value.count}
            {value !== 'failed' && !value.exact && '+'}
          </span>
        )}
        <span className="block text-13 leading-tight text-muted">{label}</span>
      </p>
    </div>
  );
}

export interface MeetingCountersProps {
  counts: { live: MeetingCount; scheduled: MeetingCount } | Unknown;
  groups: MeetingCount | Unknown;
}

/** Counters of live and scheduled meetings and groups, and a link to the calls. */
export function MeetingCounters({ counts, groups }: MeetingCountersProps) {
  const { t } = useMeetingsWords();
  const features = useStore(featureStore, (state) => state.features);
  const hasGroups = features['groups'] === true;
  const { live, scheduled } = counts === null || counts === 'failed' ? { live: counts, scheduled: counts } : counts;
  const hasCalls = features['calls'] === true;
  return (
    // Container as wide as the list below it.
    <div className="@container">
      <div className="grid grid-cols-2 gap-3">
        <Counter
          label={t('meetings.liveNow')}
          Icon={Radio}
          value={live}
          active={live !== null && live !== 'failed' && live.count > 0}
        />
        <Counter label={t('meetings.scheduled')} Icon={CalendarClock} value={scheduled} />
        {hasGroups && <Counter label={t('meetings.groupChats')} Icon={Users} value={groups} />}
        {hasCalls && (
          <Link
            to="/calls"
            className={classNames(
              tile,
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
              {!hasGroups && <span className="block text-13 text-muted">{t('meetings.callsText')}</span>}
            </span>
            <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted rtl:-scale-x-100" />
          </Link>
        )}
      </div>
    </div>
  );
}
