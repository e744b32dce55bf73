import { routes } from '@nolo/api';
import { limits } from '@nolo/rules';
import type { FormEvent } from 'react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { toast } from '../../state/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useChangeContacts, useFailureWords } from './useChangeContacts.ts';
import { useInvite } from './useInvite.ts';

export interface AddContactDialogProps {
  onClose: () => void;
  /** A number that is already known, from a search for it. */
  phoneNumber?: string;
}

/** Adds someone by number (spec section 5). Who is not registered becomes an invitation. */
export function AddContactDialog({ onClose, phoneNumber: known = '' }: AddContactDialogProps) {
  const { t } = useTranslation();
  const { refresh } = useChangeContacts();
  const words = useFailureWords();
  const invite = useInvite();
  const form = useId();
  const numberField = useRef<HTMLInputElement>(null);
  const [phoneNumber, setPhoneNumber] = useState(known);
  const [displayName, setDisplayName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const refuse = (message: string) => {
    setError(message);
    toast({ kind: 'error', title: message });
    numberField.current?.focus();
  };

  const add = async () => {
    if (busy) return;
    if (phoneNumber.trim() === '') {
      refuse(t('errors.phoneNumberRequired'));
      return;
    }
    setBusy(true);
    try {
      const contact = await call(routes.addContact, { body: { phoneNumber: phoneNumber.trim(), displayName } });
      refresh();
      onClose();
      const { invitationUrl } = contact;
      toast({
        kind: 'success',
        title: t('contacts.added'),
        ...(invitationUrl !== null && {
          description: t('contacts.addedUnregistered', { name: contact.displayName }),
          action: { label: t('contacts.invite'), onSelect: () => void invite.share(invitationUrl) },
        }),
      });
    } catch (failure) {
      refuse(words(failure, t('errors.addContact')));
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      initialFocus={() => numberField.current}
      title={t('contacts.add')}
      description={t('contacts.addText')}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" form={form} busy={busy}>
            {busy ? t('contacts.adding') : t('contacts.add')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextField
          ref={numberField}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          dir="ltr"
          maxLength={40}
          label={t('contacts.phoneNumber')}
          placeholder={t('auth.phonePlaceholder')}
          hint={t('auth.phoneHint')}
          error={error}
          value={phoneNumber}
          onChange={(event) => {
            setPhoneNumber(event.target.value);
            setError(null);
          }}
        />
        <TextField
          autoComplete="off"
          maxLength={limits.contactNameLength}
          label={t('contacts.displayName')}
          hint={t('contacts.displayNameHint')}
          value={displayName}
          onChange={(event) => setDisplayName(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
