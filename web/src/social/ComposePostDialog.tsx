import { routes, type SocialPost } from '@nolo/api';
import { socialLimits, socialPlatformNames } from '@nolo/rules';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { serverNow } from '../api/serverClock.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { useUnsavedWork } from '../ui/useUnsavedWork.tsx';
import { PlatformTexts, PostTimeFields } from './ComposeFields.tsx';
import { MediaField } from './MediaField.tsx';
import {
  toComposeForm,
  toComposedMedia,
  createComposeForm,
  type ComposeOrigin,
  type ComposeForm,
} from './model/composeForm.ts';
import { PlatformPicker } from './PlatformPicker.tsx';
import { usePlatforms } from './socialQueries.ts';
import type { PostLink } from '../shell/socialPostRequests.ts';
import { call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { Badge } from '../ui/Badge.tsx';
import { useComposePost } from './useComposePost.ts';
import { useMediaUploads } from './useMediaUploads.ts';
import { countPlatformResults } from './model/countPlatformResults.ts';
import { PlatformIcon } from './PlatformIcon.tsx';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

function PostResults({ post }: { post: SocialPost }) {
  const { t } = useTexts(socialTexts);
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
        {t('social:compose.results', { done, count })}
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
                <span className="block text-13 text-danger-text">{t(`social:reasons.${reason}`)}</span>
              )}
            </span>
            <Badge tone={state === 'published' ? 'accent' : state === 'failed' ? 'danger' : 'warning'}>
              {t(`social:states.${state}`)}
            </Badge>
          </li>
        ))}
      </ul>
    </div>
  );
}

export interface ComposePostDialogProps {
  entry: ComposeOrigin;
  post?: SocialPost;
  link?: PostLink;
  text?: string;
  media?: readonly string[];
  onClose: () => void;
}

/** Composes a post. This is the schedule's dialog and both share dialogs of the specification (decision 14). */
export function ComposePostDialog({ entry, post, link, text, media = [], onClose }: ComposePostDialogProps) {
  const { t } = useTexts(socialTexts);
  const { data: platforms = [], isPending, isError, isFetching, refetch } = usePlatforms();
  const composing = useComposePost({ entry, platforms, onClose, ...(post && { post }), ...(link && { link }) });
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const emptyForm = (): ComposeForm => {
    const message = entry === 'group' ? 'social:compose.groupMessage' : 'social:compose.meetingMessage';
    return createComposeForm(new Date(serverNow()), timeZone, entry, link && t(message, { ...link }));
  };
  const [first, setFirst] = useState<ComposeForm>(() => {
    if (post) return toComposeForm(post, new Date(serverNow()), timeZone);
    const empty = emptyForm();
    return { ...empty, content: text ?? empty.content, media: media.map(toComposedMedia) };
  });
  const [form, setForm] = useState(first);
  const startNewPost = () => {
    const empty = emptyForm();
    setFirst(empty);
    setForm(empty);
    composing.startOver();
  };
  const edit = (change: (known: ComposeForm) => Partial<ComposeForm>) => {
    // The change may have fixed the previous problem.
    composing.clearProblem();
    setForm((known) => ({ ...known, ...change(known) }));
  };
  const set = (patch: Partial<ComposeForm>) => edit(() => patch);
  const uploads = useMediaUploads((added) => edit(({ media: known }) => ({ media: [...known, added] })));
  const unsaved = useUnsavedWork({
    dirty: uploads.busy || JSON.stringify(form) !== JSON.stringify(first),
    safe: composing.busy || composing.sent !== null,
    onClose,
  });
  const connected = platforms.filter((one) => one.connected && form.platforms.includes(one.id));
  const title = post ? 'editTitle' : entry === 'schedule' ? 'newTitle' : 'meetingTitle';
  const submitLabel = post ? 'submitEdit' : form.later ? 'submitLater' : 'submitNow';

  if (composing.sent) {
    return (
      <SentDialog
        title={t(`social:compose.${title}`)}
        post={composing.sent}
        onNewPost={startNewPost}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      open
      size="large"
      onOpenChange={unsaved.close}
      title={t(`social:compose.${title}`)}
      footer={
        <>
          {link === undefined && post?.state !== 'scheduled' && (
            <Button kind="secondary" disabled={uploads.busy} onClick={() => void composing.submit(form, true)}>
              {t('social:compose.draft')}
            </Button>
          )}
          <Button busy={composing.busy || uploads.busy} onClick={() => void composing.submit(form)}>
            {t(`social:compose.${submitLabel}`)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <TextArea
          dir="auto"
          label={t('social:compose.content')}
          rows={4}
          maxLength={socialLimits.socialTextLength}
          value={form.content}
          onChange={(event) => set({ content: event.target.value })}
        />
        {link === undefined && (
          <MediaField
            media={form.media}
            uploads={uploads}
            onDescribe={(url, altText) =>
              set({ media: form.media.map((one) => (one.url === url ? { ...one, altText } : one)) })
            }
            onRemove={(url) => set({ media: form.media.filter((one) => one.url !== url) })}
          />
        )}
        {isPending ? (
          <Skeleton className="h-60" />
        ) : isError ? (
          <ErrorState title={t('social:connect.loadFailed')} retrying={isFetching} onRetry={() => void refetch()} />
        ) : (
          <PlatformPicker
            platforms={platforms}
            chosen={form.platforms}
            onChoose={(id, isChosen) =>
              edit((known) => ({
                platforms: [...known.platforms.filter((one) => one !== id), ...(isChosen ? [id] : [])],
              }))
            }
          />
        )}
        <PlatformTexts form={form} platforms={connected} onChange={set} />
        <PostTimeFields form={form} mayBeNow={post === undefined} onChange={set} />
        {composing.problem && (
          <p role="alert" className="rounded-control bg-danger-subtle px-3 py-2 text-13 text-danger-text">
            <span className="block font-medium">{composing.problem.title}</span>
            {composing.problem.description}
          </p>
        )}
      </div>
      {unsaved.question}
    </Dialog>
  );
}

interface SentDialogProps {
  title: string;
  post: SocialPost;
  onNewPost: () => void;
  onClose: () => void;
}

function SentDialog({ title, post, onNewPost, onClose }: SentDialogProps) {
  const { t } = useTexts(socialTexts);
  return (
    <Dialog
      open
      size="large"
      onOpenChange={onClose}
      title={title}
      footer={
        <>
          <Button kind="secondary" onClick={onNewPost}>
            {t('social:compose.again')}
          </Button>
          <Button onClick={onClose}>{t('social:compose.done')}</Button>
        </>
      }
    >
      <PostResults post={post} />
    </Dialog>
  );
}
