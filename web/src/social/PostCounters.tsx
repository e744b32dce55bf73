import { CalendarClock, CircleCheck, CircleQuestionMark, Layers, TriangleAlert } from 'lucide-react';
import { Skeleton } from '../ui/Skeleton.tsx';
import { usePostCounts } from './socialQueries.ts';
import { useSocialWords } from './useSocialWords.ts';

const counters = [
  ['scheduled', CalendarClock],
  ['published', CircleCheck],
  ['failed', TriangleAlert],
  ['needsReview', CircleQuestionMark],
  ['total', Layers],
] as const;

/** Number of posts for each filter. */
export function PostCounters() {
  const { t } = useSocialWords();
  const { data, isError } = usePostCounts();
  return (
    // Container as wide as the list below it.
    <div className="@container">
      <div className="grid grid-cols-2 gap-3">
        {counters.map(([name, Icon]) => (
          <div
            key={name}
            className="flex min-h-19 items-center gap-3 rounded-card border border-line bg-raised px-4 py-3 last:col-span-2"
          >
            <span
              aria-hidden="true"
              className="hidden size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted @[26rem]:flex"
            >
              <Icon className="size-5" />
            </span>
            <p className="min-w-0">
              {data === undefined && !isError ? (
                <Skeleton className="my-1 h-6 w-8" />
              ) : (
                <span className="tabular block text-24 font-semibold">{data?.[name] ?? '–'}</span>
              )}
              <span className="block text-13 leading-tight text-muted">{t(`social.counts.${name}`)}</span>
            </p>
          </div>
        ))}
      </div>
    </div>
  );
}
