import type { SocialPost } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { useFailureWords } from '../features/contacts/useChangeContacts.ts';
import { toast } from '../state/toasts.ts';
import { useSocialWords } from './useSocialWords.ts';

/** What is done with a post that exists. Failures say so themselves; each answers whether it worked. */
export function usePostChanges() {
  const { t } = useSocialWords();
  const words = useFailureWords();
  const queryClient = useQueryClient();
  const attempt = async (task: () => Promise<unknown>): Promise<boolean> => {
    try {
      await task();
      return true;
    } catch (error) {
      toast({ kind: 'error', title: t('social.changeFailed'), description: words(error) });
      return false;
    } finally {
      void queryClient.invalidateQueries({ queryKey: queryKeys.social });
    }
  };
  const at = ({ id }: SocialPost) => ({ params: { id } });
  return {
    cancel: (post: SocialPost) => attempt(() => call(routes.cancelSocialPost, at(post))),
    retry: (post: SocialPost) => attempt(() => call(routes.retrySocialPost, at(post))),
    remove: (post: SocialPost) => attempt(() => call(routes.deleteSocialPost, at(post))),
    duplicate: async (post: SocialPost) => {
      const clientPostId = crypto.randomUUID();
      if (await attempt(() => call(routes.duplicateSocialPost, { ...at(post), body: { clientPostId } }))) {
        toast({ kind: 'success', title: t('social.duplicated') });
      }
    },
    review: (post: SocialPost, deliveryId: string, wentOut: boolean) =>
      attempt(() => call(routes.reviewSocialPost, { params: { id: post.id, deliveryId }, body: { wentOut } })),
  };
}
