import type { Contact } from '@nolo/api';
import { cleanName, limits } from '@nolo/rules';
import { useState } from 'react';
import { FormDialog } from '../ui/FormDialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useContactActions } from './useContactActions.ts';
import { useContactsWords } from './useContactsWords.ts';

/** Gives a contact a private name that only the user sees. */
export function RenameDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { t } = useContactsWords();
  const { rename } = useContactActions();
  const [name, setName] = useState(contact.displayName);
  const missing = cleanName(name) === '';

  const save = async () => {
    if (missing) return;
    if (cleanName(name) === contact.displayName) {
      onClose();
      return;
    }
    if (await rename(contact, name)) onClose();
  };

  return (
    <FormDialog
      size="small"
      title={t('contacts.editName')}
      description={t('contacts.editNameText')}
      disabled={missing}
      submitLabel={t('common.save')}
      onClose={onClose}
      onSubmit={save}
    >
      <TextField
        autoComplete="off"
        maxLength={limits.contactNameLength}
        label={t('contacts.displayName')}
        error={missing ? t('contacts.nameRequired') : null}
        value={name}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
