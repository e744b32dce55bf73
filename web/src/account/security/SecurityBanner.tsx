import { routes } from '@nolo/api';
import type { SecurityNotice } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { queryKeys, useSecurityNotices } from '../../api/queries.ts';
import { enSecurity } from './enSecurity.ts';
import { addWords } from '../../i18n/i18n.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { showFailure } from '../../ui/failures.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { NoticeAction } from './NoticeAction.tsx';
import { NoticeRow } from './NoticeRow.tsx';
import { UndoDialog } from './UndoDialog.tsx';
import { useNoticeFormatter } from './useNoticeFormatter.ts';

/** Banner at the top about changes to the account by other devices, until it is answered. */
export function SecurityBanner() {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'security', enSecurity);
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
            {t('security.review')}
          </Button>
        }
      >
        {unseen.length === 1
          ? t('security.bannerOne', { what, device })
          : t('security.bannerMany', { count: unseen.length })}
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
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const [doubted, setDoubted] = useState<SecurityNotice | null>(null);
  const [busy, setBusy] = useState(false);
  const wasMe = async () => {
    setBusy(true);
    try {
      await call(routes.markNoticesSeen, { params: { id: latest.id } });
      await queryClient.invalidateQueries({ queryKey: queryKeys.securityNotices });
      onClose();
    } catch (error) {
      showFailure({ title: t('errors.generic'), description: explainFailure(i18n, error) });
    }
    setBusy(false);
  };
  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
        title={t('security.reviewTitle')}
        description={t('security.reviewText')}
        footer={
          <Button busy={busy} onClick={() => void wasMe()}>
            {t('security.wasMe')}
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
