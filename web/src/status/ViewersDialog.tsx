import type { StatusUpdate } from '@nolo/api';
import { Eye } from 'lucide-react';
import { formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { useSelf } from '../session/self.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { useViewers } from './statusQueries.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

export function ViewersDialog({ status, onClose }: { status: StatusUpdate; onClose: () => void }) {
  const { t } = useTexts(statusTexts);
  const { shareReceipts } = useSelf();
  const locale = useLocale();
  const query = useViewers(status.id, status.viewCount);
  const viewers = query.data?.pages.flatMap((page) => page.items);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('status:viewer.viewers')}
      description={t(shareReceipts ? 'status:viewer.receiptsOn' : 'status:viewer.receiptsOff')}
    >
      {query.isError && viewers === undefined ? (
        <ErrorState
          title={t('status:viewer.viewersFailed')}
          retrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : viewers === undefined ? (
        <SkeletonRows rows={3} label={t('status:loading')} />
      ) : viewers.length === 0 ? (
        shareReceipts && <EmptyState icon={<Eye />} title={t('status:viewer.noViewers')} />
      ) : (
        <ul className="flex flex-col">
          {viewers.map(({ user, viewedAt }) => (
            <li key={user.id} className="flex min-h-14 items-center gap-3">
              <Avatar name={user.displayName} imageUrl={user.profileImageUrl} />
              <span className="min-w-0 flex-1">
                <span dir="auto" className="block truncate text-ui-start text-15 font-medium">
                  {user.displayName}
                </span>
                <time dateTime={viewedAt} className="tabular block text-13 text-muted">
                  {formatExactTime(Date.parse(viewedAt), locale)}
                </time>
              </span>
            </li>
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button
          kind="quiet"
          wide
          size="small"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('status:showMore')}
        </Button>
      )}
    </Dialog>
  );
}
