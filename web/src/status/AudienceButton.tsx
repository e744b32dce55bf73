import type { StatusAudience } from '@nolo/api';
import { UsersRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { useAudience } from './statusQueries.ts';
import { useStatusWords } from './useStatusWords.ts';

const AudienceDialog = lazyDialog(async () => (await import('./AudienceDialog.tsx')).AudienceDialog);

/** Shows who sees new status updates, and changes it. */
export function AudienceButton() {
  const { t } = useStatusWords();
  const { data: audience } = useAudience();
  const [isOpen, setOpen] = useState(false);
  const who = ({ mode, userIds }: StatusAudience): string => {
    if (mode === 'contacts') return t('status.audience.contacts');
    const count = userIds.length;
    return mode === 'except' ? t('status.audience.exceptCount', { count }) : t('status.audience.onlyCount', { count });
  };
  return (
    <>
      <Button
        kind="quiet"
        className="me-auto min-w-0"
        disabled={audience === undefined}
        icon={<UsersRound aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        <span className="truncate">
          {t('status.audience.button', { who: who(audience ?? { mode: 'contacts', userIds: [] }) })}
        </span>
      </Button>
      {isOpen && audience && <AudienceDialog audience={audience} onClose={() => setOpen(false)} />}
    </>
  );
}
