import { useNow } from '../shell/useNow.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';
import { classNames } from '../ui/classNames.ts';
import type { AuthorStatuses } from './model/statusGroups.ts';
import { useStatusTimes } from './useStatusTimes.ts';
import { useStatusWords } from './useStatusWords.ts';

export interface AuthorRowsProps {
  authors: readonly AuthorStatuses[];
  /** Opens one person's status updates, followed by those of the others. */
  onOpen: (authorIds: readonly string[], statusId: string) => void;
}

/** Row for each person with status updates. The ring and the dot indicate new ones. */
export function AuthorRows({ authors, onOpen }: AuthorRowsProps) {
  const { t } = useStatusWords();
  const times = useStatusTimes();
  useNow();
  if (authors.length === 0) return null;
  const ids = authors.map(({ author }) => author.id);
  return (
    <ul className="-mx-2 flex flex-col">
      {authors.map(({ author, statuses, unviewed }, place) => {
        const latest = statuses.at(-1);
        const first = statuses.find(({ hasViewed }) => !hasViewed) ?? statuses[0];
        if (!latest || !first) return null;
        return (
          <li key={author.id} data-author={author.id}>
            <button
              type="button"
              onClick={() => onOpen(ids.slice(place), first.id)}
              className="flex min-h-17 w-full items-center gap-3 rounded-card px-2 py-2 text-start hover:bg-hover"
            >
              <span className={classNames('rounded-full p-0.5 ring-2', unviewed > 0 ? 'ring-accent' : 'ring-line')}>
                <Avatar name={author.displayName} imageUrl={author.profileImageUrl} size={48} />
              </span>
              <span className="min-w-0 flex-1">
                <span dir="auto" className="block truncate text-ui-start text-15 font-medium">
                  {author.displayName}
                </span>
                <span className="tabular block text-13 text-muted">
                  {times(latest).since}
                  {' · '}
                  {times(latest).left}
                </span>
              </span>
              <Badge tone={unviewed > 0 ? 'accent' : 'neutral'}>
                {unviewed > 0 && <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />}
                {unviewed > 0 ? t('status.new', { count: unviewed }) : t('status.all', { count: statuses.length })}
              </Badge>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
