import { serverNow } from '../api/serverClock.ts';
import type { PostLink } from '../shell/socialPostRequests.ts';
import { routes, type SocialPlatformState, type SocialPost } from '@nolo/api';
import { useState } from 'react';
import { ApiError, call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { toast } from '../ui/toasts.ts';
import { isPlanLimit, useAction } from '../ui/useAction.ts';
import {
  toPostBody,
  findComposeProblem,
  type ComposeOrigin,
  type ComposeForm,
  type ComposeProblem,
} from './model/composeForm.ts';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

export interface ComposingOptions {
  entry: ComposeOrigin;
  post?: SocialPost;
  link?: PostLink;
  platforms: readonly SocialPlatformState[];
  onClose: () => void;
}

/** Timeout in milliseconds. Posting responds once it is published, or after ten seconds. */
const postMs = 30_000;

/** Problem that prevents posting, as the dialog shows it. */
interface Problem {
  title: string;
  description?: string;
}

/** Returns the texts of problems for the dialog's entry point. */
function useProblemWords() {
  const { t } = useTexts(socialTexts);
  return (problem: ComposeProblem, writtenAt: ComposeOrigin): Problem => {
    const entry = writtenAt === 'group' ? 'meeting' : writtenAt;
    switch (problem.kind) {
      case 'content':
        return {
          title: t(`social:problems.${entry}Content.title`),
          description: t(`social:problems.${entry}Content.text`),
        };
      case 'platform':
        return {
          title: t(`social:problems.${entry}Platform.title`),
          description: t(`social:problems.${entry}Platform.text`),
        };
      case 'tooLong':
        return { title: t('social:problems.tooLong', { count: problem.count }), description: problem.platform };
      case 'needsMedia':
        return { title: t('social:problems.needsMedia', { platform: problem.platform }) };
      case 'images':
      case 'videos':
        return { title: t(`social:problems.${problem.kind}`, { platform: problem.platform, count: problem.count }) };
      case 'type':
        return { title: t('social:problems.kind', { platform: problem.platform, name: problem.name }) };
      case 'size':
        return { title: t('social:problems.size', { platform: problem.platform, name: problem.name }) };
      case 'whenMissing':
      case 'whenPast':
        return { title: t(`social:problems.${problem.kind}`) };
    }
  };
}

/** Sends the dialog's content, and stores the result. */
export function useComposePost({ entry, post, link, platforms, onClose }: ComposingOptions) {
  const { t } = useTexts(socialTexts);
  const words = useExplainFailure();
  const problemWords = useProblemWords();
  // Immediate posts use the texts of the share dialog.
  const entryOf = ({ later }: ComposeForm): ComposeOrigin => (entry === 'schedule' && !later ? 'post' : entry);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sent, setSent] = useState<SocialPost | null>(null);
  // A retry after a lost response must not create another post.
  const [clientPostId, setClientPostId] = useState(() => crypto.randomUUID());

  const send = async ({ form, draft }: { form: ComposeForm; draft: boolean }): Promise<void> => {
    const body = { ...toPostBody(form), clientPostId };
    if (post) {
      const { clientPostId: _, ...changed } = body;
      await call(routes.editSocialPost, { params: { id: post.id }, body: { ...changed, draft } });
      toast({ kind: 'success', title: t('social:compose.saved') });
      return onClose();
    }
    if (draft) {
      await call(routes.createSocialPost, { body: { ...body, draft } });
      toast({ kind: 'success', title: t('social:compose.draftKept') });
      return onClose();
    }
    const { content, media, ...rest } = body;
    const made = link
      ? await call(routes.shareMeeting, {
          body: { ...rest, message: content, meetingUrl: link.url, meetingTitle: link.title, roomCode: link.code },
          timeoutMs: postMs,
        })
      : await call(routes.sharePost, { body: { ...rest, message: content, media }, timeoutMs: postMs });
    if (!form.later) {
      const all = made.deliveries.length > 0 && made.deliveries.every(({ state }) => state === 'published');
      if (link && all) {
        toast({ kind: 'success', title: t(`social:compose.${entry === 'group' ? 'groupShared' : 'meetingShared'}`) });
      }
      return setSent(made);
    }
    toast({
      kind: 'success',
      title: t('social:compose.scheduled'),
      description: t('social:compose.scheduledText', { count: form.platforms.length }),
    });
    onClose();
  };

  const failed = (error: unknown, at: ComposeOrigin): Problem | null => {
    if (isPlanLimit(error)) return null;
    const known = error instanceof ApiError && error.status > 0 && error.status < 500 ? words(error) : undefined;
    if (at === 'meeting' || at === 'group') {
      return { title: t(`social:failed.${at}`), ...(known && { description: known }) };
    }
    if (at === 'schedule') return { title: known ?? t('social:failed.share') };
    return { title: t('social:failed.post.title'), description: known ?? t('social:failed.post.text') };
  };

  const sending = useAction(send, {
    failure: (error, { form }) => void setProblem(failed(error, entryOf(form))),
    invalidates: [queryKeys.social],
  });

  const submit = async (form: ComposeForm, draft = false): Promise<void> => {
    if (sending.busy) return;
    const found = draft ? null : findComposeProblem(form, platforms, new Date(serverNow()));
    setProblem(found && problemWords(found, entryOf(form)));
    if (!found) await sending.run({ form, draft });
  };

  return {
    busy: sending.busy,
    sent,
    problem,
    clearProblem: () => setProblem(null),
    submit,
    startOver: () => {
      setSent(null);
      setClientPostId(crypto.randomUUID());
    },
  };
}
