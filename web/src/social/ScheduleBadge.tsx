import { CountBadge } from '../ui/Badge.tsx';
import { useCounts } from './socialQueries.ts';
import { useSocialWords } from './useSocialWords.ts';

/** How many posts failed, or wait for a look. */
export function ScheduleBadge() {
  const { t } = useSocialWords();
  const count = useCounts().data?.failed ?? 0;
  return <CountBadge count={count} label={t('social.badge', { count })} className="h-4.5! min-w-4.5! px-1!" />;
}
