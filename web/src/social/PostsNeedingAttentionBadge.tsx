import { CountBadge } from '../ui/Badge.tsx';
import { usePostCounts } from './socialQueries.ts';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

export function PostsNeedingAttentionBadge() {
  const { t } = useTexts(socialTexts);
  const { failed, needsReview } = usePostCounts().data ?? { failed: 0, needsReview: 0 };
  const count = failed + needsReview;
  return <CountBadge count={count} label={t('social:badge', { count })} className="h-4.5! min-w-4.5! px-1!" />;
}
