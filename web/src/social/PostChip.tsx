import { useDraggable } from '@dnd-kit/core';
import type { SocialPost } from '@nolo/api';
import type { SocialPostState } from '@nolo/rules';
import { formatClockTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { classNames } from '../ui/classNames.ts';
import { isMovable, type PlacedPost } from './model/calendar.ts';
import { listPostPlatforms } from './model/postActions.ts';
import { PlatformIcon } from './PlatformIcon.tsx';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

const edges: Record<SocialPostState, string> = {
  draft: 'border-s-line-strong border-dashed',
  scheduled: 'border-s-info',
  publishing: 'border-s-warning',
  published: 'border-s-accent',
  failed: 'border-s-danger',
  needs_review: 'border-s-warning',
  cancelled: 'border-s-line-strong',
};
const maxPlatformIcons = 2;

/** Post in one line: time, platforms, and text. */
export function PostChipFace({ placed: { post, at }, lifted = false }: { placed: PlacedPost; lifted?: boolean }) {
  const { t } = useTexts(socialTexts);
  const locale = useLocale();
  const platforms = listPostPlatforms(post);
  const further = platforms.length - maxPlatformIcons;
  return (
    <span
      className={classNames(
        // Days are narrow beside the list, so the time is above the text.
        'flex min-w-0 items-center gap-x-1.5 rounded-[6px] border border-s-4 border-line bg-raised px-1.5 py-1 text-12 max-xl:flex-wrap',
        edges[post.state],
        lifted && 'cursor-grabbing shadow-raised',
      )}
    >
      <span className="tabular shrink-0 text-muted">{formatClockTime(at.getTime(), locale)}</span>{' '}
      <span
        dir="auto"
        className={classNames(
          'min-w-0 flex-1 truncate text-start max-xl:basis-full',
          post.state === 'cancelled' && 'line-through',
        )}
      >
        {post.content === '' ? t('social:onlyMedia') : post.content}
      </span>
      <span className="sr-only"> {t(`social:states.${post.state}`)} </span>
      <span className="flex shrink-0 gap-0.5 max-xl:hidden">
        {platforms.slice(0, maxPlatformIcons).map((platform) => (
          <PlatformIcon key={platform} platform={platform} size="tiny" />
        ))}
        {further > 0 && <span className="text-muted">+{further}</span>}
      </span>
    </span>
  );
}

/** Dragged post and its cell. */
export interface DragData {
  placed: PlacedPost;
  slot: string;
}

interface PostChipProps extends DragData {
  onOpen: () => void;
}

/** Opens a post when pressed. Pending posts can be dragged, or picked up with the space bar. */
function PostChip({ placed, slot, onOpen }: PostChipProps) {
  const { post } = placed;
  const movable = isMovable(post);
  const { attributes, listeners, setNodeRef, isDragging } = useDraggable({
    id: post.id,
    data: { placed, slot } satisfies DragData,
    disabled: !movable,
  });
  return (
    <button
      ref={setNodeRef}
      type="button"
      {...(movable && { ...listeners, 'aria-describedby': attributes['aria-describedby'] })}
      onClick={onOpen}
      className={classNames(
        'block w-full min-w-0 rounded-[6px] outline-offset-2 hover:brightness-97 focus-visible:outline-2 focus-visible:outline-focus',
        movable && 'cursor-grab touch-none',
        isDragging && 'opacity-40',
      )}
    >
      <PostChipFace placed={placed} />
    </button>
  );
}

interface PostStackProps {
  posts: readonly PlacedPost[];
  /** Maximum posts shown, or one less plus the number of further ones. */
  maxShown: number;
  slot: string;
  title: string;
  /** Shows posts with all their actions. */
  onOpen: (title: string, posts: readonly SocialPost[]) => void;
}

export function PostStack({ posts, maxShown, slot, title, onOpen }: PostStackProps) {
  const { t } = useTexts(socialTexts);
  if (posts.length === 0) return null;
  const shown = posts.length > maxShown ? posts.slice(0, maxShown - 1) : posts;
  const open = (some: readonly PlacedPost[]) => () =>
    onOpen(
      title,
      some.map(({ post }) => post),
    );
  return (
    <ul className="flex flex-col gap-1">
      {shown.map((placed) => (
        <li key={placed.post.id}>
          <PostChip placed={placed} slot={slot} onOpen={open([placed])} />
        </li>
      ))}
      {posts.length > shown.length && (
        <li>
          <button
            type="button"
            onClick={open(posts)}
            className="tap w-full rounded-[6px] px-1.5 py-0.5 text-start text-12 text-muted hover:bg-hover hover:text-ink"
          >
            {t('social:calendar.more', { count: posts.length - shown.length })}
          </button>
        </li>
      )}
    </ul>
  );
}
