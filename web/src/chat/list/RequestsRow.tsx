import { MailQuestion } from 'lucide-react';
import { CountBadge } from '../../ui/Badge.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { FolderRow } from './FolderRow.tsx';
import { requestsTexts } from '../words/requestsTexts.ts';

/** Opens strangers' messages and group invitations, and shows how many are pending. They do not count as unread. */
export function RequestsRow({ count, onOpen }: { count: number; onOpen: () => void }) {
  const { t } = useTexts(requestsTexts);
  return (
    <FolderRow icon={<MailQuestion />} title={t('requests:title')} onOpen={onOpen}>
      <CountBadge muted count={count} label={t('requests:waiting', { count })} />
    </FolderRow>
  );
}
