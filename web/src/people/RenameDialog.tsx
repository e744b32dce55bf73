import type { Contact } from '@nolo/api';
import { limits } from '@nolo/rules';
import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useChangeContacts } from './useChangeContacts.ts';
import { useContactsWords } from './useContactsWords.ts';

/** Gives a contact another name; only oneself sees it. */
export function RenameDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { t } = useContactsWords();
  const { rename } = useChangeContacts();
  const form = useId();
  const [name, setName] = useState(contact.displayName);
  const [busy, setBusy] = useState(false);
  const missing = name.trim() === '';

  const save = async () => {
    if (missing || busy) return;
    if (name.trim() === contact.displayName) {
      onClose();
      return;
    }
    setBusy(true);
    if (await rename(contact, name)) onClose();
    else setBusy(false);
  };

  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('contacts.editName')}
      description={t('contacts.editNameText')}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" form={form} disabled={missing} busy={busy}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void save();
        }}
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
      </form>
    </Dialog>
  );
}
