import { SquarePen } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';

const NewSheet = lazyDialog(async () => (await import('./StartSheet.tsx')).StartSheet);

/** Single button to start anything. */
export function OpenStartSheetButton() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label={t('chats.new')} icon={<SquarePen />} onClick={() => setOpen(true)} />
      {open && <NewSheet onClose={() => setOpen(false)} />}
    </>
  );
}
