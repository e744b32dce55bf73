import type { SocialPost } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { serverNow } from '../api/serverClock.ts';
import { ApiError, call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import type { MovedTime } from './model/calendar.ts';
import { toPostBody, toComposeForm } from './model/composeForm.ts';
import { showMovedPost } from './socialQueries.ts';
import { useSocialWords } from './useSocialWords.ts';

/** Returns the time of a post for a request. */
function wallOf({ localTime, timeZone, scheduledAt }: SocialPost): { scheduledAt: string; timeZone: string } {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // An instant with its offset, if nobody chose a local time.
  return localTime !== null && timeZone !== null
    ? { scheduledAt: localTime, timeZone }
    : { scheduledAt: scheduledAt ?? '', timeZone: here };
}

/** Returns the actions on existing posts. They report failures, and resolve to true on success. */
export function useSocialPostActions() {
  const { t } = useSocialWords();
  const words = useExplainFailure();
  const locale = useLocale();
  const queryClient = useQueryClient();
  const attempt = async (task: () => Promise<unknown>): Promise<boolean> => {
    try {
      await task();
      return true;
    } catch (error) {
      // Plan limits are shown in their own dialog.
      if (!(error instanceof ApiError) || error.status !== 402) {
        showFailure({ title: t('social.changeFailed'), description: words(error) });
      }
      return false;
    } finally {
      void queryClient.invalidateQueries({ queryKey: queryKeys.social });
    }
  };
  /** Moves a post, immediately in the calendar. The toast offers to undo it. */
  const move = async (post: SocialPost, time: MovedTime, isUndoing = false): Promise<void> => {
    showMovedPost(queryClient, post.id, time);
    const body = {
      ...toPostBody(toComposeForm(post, new Date(serverNow()), time.timeZone)),
      accountIds: post.accountIds,
    };
    const { scheduledAt, timeZone } = time;
    const changed = { ...body, scheduledAt, timeZone, draft: post.state === 'draft' };
    let moved: SocialPost | undefined;
    const save = async () => {
      moved = await call(routes.editSocialPost, { ...at(post), body: changed });
    };
    if (!(await attempt(save)) || moved?.scheduledAt == null) return;
    const exact = formatExactTime(Date.parse(moved.scheduledAt), locale);
    const before = post.scheduledAt === null ? null : { at: new Date(post.scheduledAt), ...wallOf(post) };
    toast({
      kind: 'success',
      title: t('social.calendar.moved', { time: exact }),
      ...(!isUndoing &&
        before && { action: { label: t('social.calendar.undo'), onSelect: () => void move(post, before, true) } }),
    });
  };
  const at = ({ id }: SocialPost) => ({ params: { id } });
  return {
    move: (post: SocialPost, time: MovedTime) => void move(post, time),
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
