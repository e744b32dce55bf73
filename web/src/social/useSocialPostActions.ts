import { routes, type SocialPost } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { serverNow } from '../api/serverClock.ts';
import { queryKeys } from '../api/queries.ts';
import { formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import type { MovedTime } from './model/calendar.ts';
import { toPostBody, toComposeForm } from './model/composeForm.ts';
import { showMovedPost } from './socialQueries.ts';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

/** Returns the time of a post for a request. */
function wallOf({ localTime, timeZone, scheduledAt }: SocialPost): { scheduledAt: string; timeZone: string } {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // An instant with its offset, if nobody chose a local time.
  return localTime !== null && timeZone !== null
    ? { scheduledAt: localTime, timeZone }
    : { scheduledAt: scheduledAt ?? '', timeZone: here };
}

/** Returns the actions on existing posts. They report failures, and then resolve to undefined. */
export function useSocialPostActions() {
  const { t } = useTexts(socialTexts);
  const locale = useLocale();
  const queryClient = useQueryClient();
  const options = { failure: t('social:changeFailed'), invalidates: [queryKeys.social] };
  const edit = useAction(routes.editSocialPost, options);
  const cancel = useAction(routes.cancelSocialPost, options);
  const retry = useAction(routes.retrySocialPost, options);
  const remove = useAction(routes.deleteSocialPost, options);
  const review = useAction(routes.reviewSocialPost, options);
  const duplicate = useAction(routes.duplicateSocialPost, {
    ...options,
    onDone: () => toast({ kind: 'success', title: t('social:duplicated') }),
  });
  const at = ({ id }: SocialPost) => ({ params: { id } });
  /** Moves a post, immediately in the calendar. The toast offers to undo it. */
  const move = async (post: SocialPost, time: MovedTime, isUndoing = false): Promise<void> => {
    showMovedPost(queryClient, post.id, time);
    const { scheduledAt, timeZone } = time;
    const body = {
      ...toPostBody(toComposeForm(post, new Date(serverNow()), timeZone)),
      accountIds: post.accountIds,
      scheduledAt,
      timeZone,
      draft: post.state === 'draft',
    };
    const moved = (await edit.run({ ...at(post), body }))?.result;
    if (moved?.scheduledAt == null) return;
    const exact = formatExactTime(Date.parse(moved.scheduledAt), locale);
    const before = post.scheduledAt === null ? null : { at: new Date(post.scheduledAt), ...wallOf(post) };
    toast({
      kind: 'success',
      title: t('social:calendar.moved', { time: exact }),
      ...(!isUndoing &&
        before && { action: { label: t('social:calendar.undo'), onSelect: () => void move(post, before, true) } }),
    });
  };
  return {
    move: (post: SocialPost, time: MovedTime) => void move(post, time),
    cancel: (post: SocialPost) => cancel.run(at(post)),
    retry: (post: SocialPost) => retry.run(at(post)),
    remove: (post: SocialPost) => remove.run(at(post)),
    duplicate: (post: SocialPost) => duplicate.run({ ...at(post), body: { clientPostId: crypto.randomUUID() } }),
    review: (post: SocialPost, deliveryId: string, wentOut: boolean) =>
      review.run({ params: { id: post.id, deliveryId }, body: { wentOut } }),
  };
}
