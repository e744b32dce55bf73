import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { useTexts } from '../i18n/texts.ts';

const AddContactDialog = lazyDialog(async () => (await import('./AddContactDialog.tsx')).AddContactDialog);

/** Adds a contact without leaving the current screen. */
export function OpenAddContactDialogButton({ kind }: { kind: 'primary' | 'secondary' }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        <UserPlus aria-hidden="true" />
        {t('chats.addContact')}
      </Button>
      {isOpen && <AddContactDialog onClose={() => setOpen(false)} />}
    </>
  );
}
