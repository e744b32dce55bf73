import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { late } from '../ui/late.tsx';

const AddContactDialog = late(async () => (await import('./AddContactDialog.tsx')).AddContactDialog);

/** Ways to add somebody that leave the list of conversations where it is. */
export function AddContactIcon() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={t('chats.addContact')} icon={<UserPlus />} onClick={() => setOpen(true)} />
      {isOpen && <AddContactDialog onClose={() => setOpen(false)} />}
    </>
  );
}

export function AddContactButton({ kind }: { kind: 'primary' | 'secondary' }) {
  const { t } = useTranslation();
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
