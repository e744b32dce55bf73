import type { PostCalendarProps } from './PostCalendar.tsx';
import type { PlacedPost } from './model/calendar.ts';
import { PostChip } from './PostChip.tsx';
import { useSocialWords } from './useSocialWords.ts';

interface PostStackProps {
  posts: readonly PlacedPost[];
  /** Maximum posts shown, or one less plus the number of further ones. */
  maxShown: number;
  slot: string;
  /** Title of the opened list. */
  title: string;
  onOpen: PostCalendarProps['onOpen'];
}

/** Posts of a day or an hour. */
export function PostStack({ posts, maxShown, slot, title, onOpen }: PostStackProps) {
  const { t } = useSocialWords();
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
            {t('social.calendar.more', { count: posts.length - shown.length })}
          </button>
        </li>
      )}
    </ul>
  );
}
