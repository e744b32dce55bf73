import type { StatusUpdate } from '@nolo/api';
import { Eye } from 'lucide-react';
import { formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { useSelf } from '../session/self.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PagedRows } from '../ui/PagedRows.tsx';
import { useViewers } from './statusQueries.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

export function ViewersDialog({ status, onClose }: { status: StatusUpdate; onClose: () => void }) {
  const { t } = useTexts(statusTexts);
  const { shareReceipts } = useSelf();
  const locale = useLocale();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('status:viewer.viewers')}
      description={t(shareReceipts ? 'status:viewer.receiptsOn' : 'status:viewer.receiptsOff')}
    >
      <PagedRows
        list={useViewers(status.id, status.viewCount)}
        words={{ failed: t('status:viewer.viewersFailed'), loading: t('status:loading'), more: t('status:showMore') }}
        empty={shareReceipts && <EmptyState icon={<Eye />} title={t('status:viewer.noViewers')} />}
        className="flex flex-col"
        placeholder={{ rows: 3, className: '' }}
        moreButton={{ kind: 'quiet', wide: true, size: 'small' }}
      >
        {({ user, viewedAt }) => (
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
        )}
      </PagedRows>
    </Dialog>
  );
}
