import { routes, type SocialPost } from '@nolo/api';
import { cutText, type SocialPostState } from '@nolo/rules';
import type { i18n } from 'i18next';
import { call } from '../api/httpClient.ts';
import { enSocial } from './enSocial.ts';
import { countPlatformResults } from './model/countPlatformResults.ts';
import { addWords } from '../i18n/i18n.ts';
import { toast } from '../ui/toasts.ts';

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
  addWords(i18n, 'social', enSocial);
  toast({
    kind: state === 'published' ? 'success' : 'error',
    title: i18n.t(`social.outcomes.${state}`),
    description:
      state === 'published'
        ? cutText(content, excerptLength) || i18n.t('social.onlyMedia')
        : i18n.t('social.compose.results', countPlatformResults(deliveries)),
  });
}
