import type { CalendarProps } from './Calendar.tsx';
import type { PlacedPost } from './model/calendar.ts';
import { PostChip } from './PostChip.tsx';
import { useSocialWords } from './useSocialWords.ts';

interface PostStackProps {
  posts: readonly PlacedPost[];
  /** So many are shown, or one less and how many more there are. */
  most: number;
  slot: string;
  /** Of what is opened. */
  title: string;
  onOpen: CalendarProps['onOpen'];
}

/** The posts of a day or an hour. */
export function PostStack({ posts, most, slot, title, onOpen }: PostStackProps) {
  const { t } = useSocialWords();
  if (posts.length === 0) return null;
  const shown = posts.length > most ? posts.slice(0, most - 1) : posts;
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
