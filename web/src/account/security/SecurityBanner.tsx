import { routes, type SecurityNotice } from '@nolo/api';
import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { queryKeys, useSecurityNotices } from '../../api/queries.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useAction } from '../../ui/useAction.ts';
import { NoticeAction } from './NoticeAction.tsx';
import { NoticeRow } from './NoticeRow.tsx';
import { UndoDialog } from './UndoDialog.tsx';
import { useNoticeFormatter } from './useNoticeFormatter.ts';
import { useTexts } from '../../i18n/texts.ts';
import { securityTexts } from './securityTexts.ts';

/** Banner at the top about changes to the account by other devices, until it is answered. */
export function SecurityBanner() {
  const { t } = useTexts(securityTexts);
  const words = useNoticeFormatter();
  const { data } = useSecurityNotices();
  const [open, setOpen] = useState(false);
  const unseen = (data?.pages[0]?.items ?? []).filter((notice) => !notice.seen);
  const [latest] = unseen;
  if (latest === undefined) return null;
  const { what, device } = words(latest);
  return (
    <>
      <Banner
        tone="warning"
        icon={<ShieldAlert />}
        action={
          <Button size="small" kind="secondary" onClick={() => setOpen(true)}>
            {t('security:review')}
          </Button>
        }
      >
        {unseen.length === 1
          ? t('security:bannerOne', { what, device })
          : t('security:bannerMany', { count: unseen.length })}
      </Banner>
      {open && <ReviewDialog notices={unseen} latest={latest} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ReviewDialogProps {
  notices: SecurityNotice[];
  latest: SecurityNotice;
  onClose: () => void;
}

function ReviewDialog({ notices, latest, onClose }: ReviewDialogProps) {
  const { t } = useTexts(securityTexts);
  const [doubted, setDoubted] = useState<SecurityNotice | null>(null);
  const wasMe = useAction(routes.markNoticesSeen, {
    invalidates: [queryKeys.securityNotices],
    failure: t('errors.generic'),
  });
  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => open || onClose()}
        title={t('security:reviewTitle')}
        description={t('security:reviewText')}
        footer={
          <Button
            busy={wasMe.busy}
            onClick={() => void wasMe.run({ params: { id: latest.id } }).then((done) => done && onClose())}
          >
            {t('security:wasMe')}
          </Button>
        }
      >
        <ul className="flex flex-col gap-1">
          {notices.map((notice) => (
            <NoticeRow
              key={notice.id}
              notice={notice}
              action={<NoticeAction urgent notice={notice} onDoubt={setDoubted} />}
            />
          ))}
        </ul>
      </Dialog>
      <UndoDialog notice={doubted} onClose={() => setDoubted(null)} />
    </>
  );
}
