import type { Conversation } from '@nolo/api';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

const ChatExportDialog = lazyDialog(async () => (await import('./ChatExportDialog.tsx')).ChatExportDialog);

/** Opens the chat export, which loads on demand. */
export function ChatExportButton({ conversation }: { conversation: Conversation }) {
  const { t } = useTexts(conversationTexts);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button wide kind="quiet" icon={<Download />} onClick={() => setOpen(true)}>
        {t('conversation:exportChat')}
      </Button>
      {open && <ChatExportDialog conversation={conversation} onClose={() => setOpen(false)} />}
    </>
  );
}
