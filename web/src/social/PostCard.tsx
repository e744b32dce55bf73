import type { SocialDelivery, SocialPost } from '@nolo/api';
import { cutText, socialPlatformNames, type SocialPlatform, type SocialPostState } from '@nolo/rules';
import {
  Ban,
  Copy,
  EllipsisVertical,
  ExternalLink,
  Paperclip,
  Pencil,
  RotateCw,
  Trash2,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';
import { useId } from 'react';
import { useNow } from '../shell/useNow.ts';
import { formatTimeUntil } from '../i18n/relativeTime.ts';
import { getDateFormat, formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { classNames } from '../ui/classNames.ts';
import { DropdownMenu, MenuItem } from '../ui/DropdownMenu.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import {
  listPostActions,
  findPostMoment,
  listPostPlatforms,
  listTroubledDeliveries,
  needsReconnect,
  type PostAction,
} from './model/postActions.ts';
import { PlatformIcon } from './PlatformIcon.tsx';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

const tones: Record<SocialPostState, BadgeTone> = {
  draft: 'neutral',
  scheduled: 'info',
  publishing: 'warning',
  published: 'accent',
  failed: 'danger',
  needs_review: 'warning',
  cancelled: 'neutral',
};
const icons: Record<PostAction, LucideIcon> = {
  edit: Pencil,
  duplicate: Copy,
  retry: RotateCw,
  cancel: Ban,
  remove: Trash2,
};
const nameLength = 40;

export interface PostCardProps {
  post: SocialPost;
  onAct: (action: PostAction, post: SocialPost) => void;
  onReconnect: (platform: SocialPlatform) => void;
  onReview: (post: SocialPost, deliveryId: string, wentOut: boolean) => void;
}

export function PostCard({ post, onAct, onReconnect, onReview }: PostCardProps) {
  const { t } = useTexts(socialTexts);
  const wordsId = useId();
  const { state, content, mediaCount } = post;
  const shownText = content === '' ? t('social:onlyMedia') : content;
  return (
    <article
      aria-labelledby={wordsId}
      data-post={post.id}
      className="flex gap-2 rounded-card border border-line bg-raised py-3.5 ps-4 pe-2"
    >
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone={tones[state]}>{t(`social:states.${state}`)}</Badge>
          <PostTime post={post} />
        </div>
        <p id={wordsId} dir="auto" className="line-clamp-4 text-ui-start text-15 break-words whitespace-pre-line">
          {shownText}
        </p>
        <div className="flex flex-wrap items-center gap-1.5">
          {listPostPlatforms(post).map((platform) => (
            <PlatformIcon key={platform} platform={platform} size="small" />
          ))}
          {mediaCount > 0 && (
            <span className="ms-1 inline-flex items-center gap-1 text-13 text-muted">
              <Paperclip aria-hidden="true" className="size-4" />
              {t('social:media', { count: mediaCount })}
            </span>
          )}
          {post.deliveries.map(
            ({ id, url, platform }) =>
              url !== null && (
                <a
                  key={id}
                  href={url}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={t('social:seePost', { platform: socialPlatformNames[platform] })}
                  className="tap inline-flex items-center gap-1 text-13 text-accent-text hover:underline"
                >
                  {socialPlatformNames[platform]}
                  <ExternalLink aria-hidden="true" className="size-3.5" />
                </a>
              ),
          )}
        </div>
        {listTroubledDeliveries(post).map((delivery) => (
          <Trouble
            key={delivery.id}
            delivery={delivery}
            onReconnect={() => onReconnect(delivery.platform)}
            onReview={(wentOut) => onReview(post, delivery.id, wentOut)}
          />
        ))}
      </div>
      <DropdownMenu
        trigger={
          <IconButton
            plain
            size="small"
            label={t('social:moreFor', { text: cutText(shownText, nameLength) })}
            icon={<EllipsisVertical aria-hidden="true" />}
          />
        }
      >
        {listPostActions(post).map((action) => {
          const Icon = icons[action];
          return (
            <MenuItem
              key={action}
              icon={<Icon aria-hidden="true" />}
              danger={action === 'remove' || action === 'cancel'}
              onSelect={() => onAct(action, post)}
            >
              {t(`social:menu.${action}`)}
            </MenuItem>
          );
        })}
      </DropdownMenu>
    </article>
  );
}

const shortTime = (at: number, locale: string): string =>
  getDateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at);

/** Relative time, and the exact date and time. */
function PostTime({ post }: { post: SocialPost }) {
  const { t } = useTexts(socialTexts);
  const locale = useLocale();
  const now = useNow();
  const moment = findPostMoment(post);
  if (moment === null) return <span className="text-13 text-muted">{t('social:noTime')}</span>;
  const at = Date.parse(moment);
  const exact = shortTime(at, locale);
  return (
    <time dateTime={moment} title={formatExactTime(at, locale)} className="tabular text-13 text-muted">
      {formatTimeUntil(at, now, locale, t)} · {exact}
    </time>
  );
}

interface TroubleProps {
  delivery: SocialDelivery;
  onReconnect: () => void;
  onReview: (wentOut: boolean) => void;
}

function Trouble({ delivery, onReconnect, onReview }: TroubleProps) {
  const { t } = useTexts(socialTexts);
  const locale = useLocale();
  const { platform, accountName, state, reason, retryAt } = delivery;
  const waits = retryAt !== null;
  return (
    <div
      className={classNames(
        'flex flex-wrap items-center gap-2 rounded-control px-3 py-2 text-13',
        waits ? 'bg-warning-subtle text-warning-text' : 'bg-danger-subtle text-danger-text',
      )}
    >
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-40 flex-1">
        <span className="font-semibold">
          {socialPlatformNames[platform]} <bdi>{accountName}</bdi>
        </span>{' '}
        {t(`social:reasons.${reason ?? 'unknown'}`)}
        {waits && ` ${t('social:nextTry', { time: shortTime(Date.parse(retryAt), locale) })}`}
      </p>
      {state === 'needs_review' ? (
        <>
          <Button kind="secondary" size="small" onClick={() => onReview(true)}>
            {t('social:wentOut')}
          </Button>
          <Button kind="secondary" size="small" onClick={() => onReview(false)}>
            {t('social:sendIt')}
          </Button>
        </>
      ) : (
        needsReconnect(delivery) && (
          <Button kind="secondary" size="small" onClick={onReconnect}>
            {t('social:reconnect')}
          </Button>
        )
      )}
    </div>
  );
}
