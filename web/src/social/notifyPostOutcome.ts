import { routes, type SocialPost } from '@nolo/api';
import { cutText, type SocialPostState } from '@nolo/rules';
import type { i18n } from 'i18next';
import { call } from '../api/httpClient.ts';
import { countPlatformResults } from './model/countPlatformResults.ts';
import { toast } from '../ui/toasts.ts';
import { getTranslate } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

const ends = ['published', 'failed', 'needs_review'] as const;
type End = (typeof ends)[number];

const isEnd = (state: SocialPostState | null): state is End => ends.some((end) => end === state);

/** Reported results of posts, so that none is reported twice. Cleared when it gets long. */
const notifiedOutcomes = new Map<string, End>();
const maxNotifiedPosts = 200;
const excerptLength = 80;

/** Notifies the user of the result of a scheduled post. For immediate posts, the dialog does. */
export async function notifyPostOutcome(
  { postId, state }: { postId: string; state: SocialPostState | null },
  {
    i18n,
    loadPost = (id) => call(routes.getSocialPost, { params: { id } }),
  }: { i18n: i18n; loadPost?: (id: string) => Promise<SocialPost> },
): Promise<void> {
  if (!isEnd(state) || notifiedOutcomes.get(postId) === state) return;
  if (notifiedOutcomes.size >= maxNotifiedPosts) notifiedOutcomes.clear();
  notifiedOutcomes.set(postId, state);
  const { scheduledAt, content, deliveries } = await loadPost(postId);
  if (scheduledAt === null) return;
  toast({
    kind: state === 'published' ? 'success' : 'error',
    title: getTranslate(i18n, socialTexts)(`social:outcomes.${state}`),
    description:
      state === 'published'
        ? cutText(content, excerptLength) || getTranslate(i18n, socialTexts)('social:onlyMedia')
        : getTranslate(i18n, socialTexts)('social:compose.results', countPlatformResults(deliveries)),
  });
}
