import type { SecurityNotice } from '@nolo/api';
import { useState } from 'react';
import { useSecurityNotices } from '../../api/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { QueryPlaceholder } from '../../ui/QueryPlaceholder.tsx';
import { NoticeAction } from './NoticeAction.tsx';
import { NoticeRow } from './NoticeRow.tsx';
import { UndoDialog } from './UndoDialog.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { securityTexts } from './securityTexts.ts';

/** Number of notices shown initially. */
const fewNotices = 5;

/** Sign-ins and account changes, with a way to undo them. */
export function ActivityCard() {
  const { t } = useTexts(securityTexts);
  const query = useSecurityNotices();
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const [all, setAll] = useState(false);
  const [doubted, setDoubted] = useState<SecurityNotice | null>(null);
  const notices = data?.pages.flatMap((page) => page.items);
  const shown = all ? notices : notices?.slice(0, fewNotices);
  const more = all ? hasNextPage : (notices?.length ?? 0) > fewNotices;
  return (
    <Card title={t('security:activity')} description={t('security:activityText')}>
      {shown === undefined ? (
        <QueryPlaceholder
          query={query}
          failed={t('security:activityFailed')}
          loading={t('security:activity')}
          rows={2}
        />
      ) : shown.length === 0 ? (
        <p className="text-13 text-muted">{t('security:activityEmpty')}</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {shown.map((notice) => (
            <NoticeRow key={notice.id} notice={notice} action={<NoticeAction notice={notice} onDoubt={setDoubted} />} />
          ))}
        </ul>
      )}
      {more && (
        <Button
          kind="secondary"
          size="small"
          className="mt-3"
          busy={isFetchingNextPage}
          onClick={() => {
            if (all) void fetchNextPage();
            else setAll(true);
          }}
        >
          {t('security:activityMore')}
        </Button>
      )}
      <UndoDialog notice={doubted} onClose={() => setDoubted(null)} />
    </Card>
  );
}
