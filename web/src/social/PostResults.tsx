import { socialPlatformNames } from '@nolo/rules';
import type { SocialPost } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { Badge } from '../ui/Badge.tsx';
import { countPlatformResults } from './model/countPlatformResults.ts';
import { PlatformIcon } from './PlatformIcon.tsx';
import { useSocialWords } from './useSocialWords.ts';

/** Result of a post on each platform. Pending deliveries are reported once published. */
export function PostResults({ post }: { post: SocialPost }) {
  const { t } = useSocialWords();
  const { data } = useQuery({
    queryKey: [...queryKeys.social, 'post', post.id],
    queryFn: ({ signal }) => call(routes.getSocialPost, { params: { id: post.id }, signal }),
    initialData: post,
  });
  const { deliveries } = data;
  const { done, count } = countPlatformResults(deliveries);
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="text-16 font-semibold">
        {t('social.compose.results', { done, count })}
      </p>
      <ul className="divide-y divide-line rounded-card border border-line">
        {deliveries.map(({ id, platform, accountName, state, reason }) => (
          <li key={id} className="flex items-center gap-3 px-3 py-2.5">
            <PlatformIcon platform={platform} />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-14 font-medium">
                {socialPlatformNames[platform]} <bdi className="text-muted">{accountName}</bdi>
              </span>
              {reason !== null && state !== 'published' && (
                <span className="block text-13 text-danger-text">{t(`social.reasons.${reason}`)}</span>
              )}
            </span>
            <Badge tone={state === 'published' ? 'accent' : state === 'failed' ? 'danger' : 'warning'}>
              {t(`social.states.${state}`)}
            </Badge>
          </li>
        ))}
      </ul>
    </div>
  );
}
