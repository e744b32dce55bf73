import type { Conversation } from '@nolo/api';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { late } from '../../ui/late.tsx';
import { useMessageWords } from '../words/useMessageWords.ts';

const TakeoutDialog = late(async () => (await import('./TakeoutDialog.tsx')).TakeoutDialog);

/** Opens the chat export, which loads on demand. */
export function TakeoutButton({ conversation }: { conversation: Conversation }) {
  const { t } = useMessageWords();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button wide kind="quiet" icon={<Download />} onClick={() => setOpen(true)}>
        {t('conversation.exportChat')}
      </Button>
      {open && <TakeoutDialog conversation={conversation} onClose={() => setOpen(false)} />}
    </>
  );
}
