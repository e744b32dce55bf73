import { routes } from '@nolo/api';
import { limits } from '@nolo/rules';
import type { FormEvent } from 'react';
import { useId, useRef, useState } from 'react';
import { call } from '../api/httpClient.ts';
import { enRefusals } from '../i18n/enRefusals.ts';
import { addWords } from '../i18n/i18n.ts';
import { toast } from '../ui/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { PhoneField } from '../ui/phone/PhoneField.tsx';
import { readPhoneNumber } from '../ui/phone/readPhoneNumber.ts';
import { useChangeContacts } from './useChangeContacts.ts';
import { useFailureWords } from '../i18n/useFailureWords.ts';
import { useInvite } from './useInvite.ts';
import { useContactsWords } from './useContactsWords.ts';

export interface AddContactDialogProps {
  onClose: () => void;
  /** A number that is already known, from a search for it. */
  phoneNumber?: string;
}

/** Adds someone by number (spec section 5). Who is not registered becomes an invitation. */
export function AddContactDialog({ onClose, phoneNumber: known = '' }: AddContactDialogProps) {
  const { t, i18n } = useContactsWords();
  addWords(i18n, 'refusals', enRefusals);
  const { refresh } = useChangeContacts();
  const words = useFailureWords();
  const invite = useInvite();
  const form = useId();
  const numberField = useRef<HTMLInputElement>(null);
  const [phoneNumber, setPhoneNumber] = useState(known);
  const [country, setCountry] = useState<string | null>(null);
  const [displayName, setDisplayName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const refuse = (message: string) => {
    setError(message);
    numberField.current?.focus();
  };

  const add = async () => {
    if (busy) return;
    if (phoneNumber.trim() === '') {
      refuse(t('refusals.phone_number_required'));
      return;
    }
    setBusy(true);
    const number = await readPhoneNumber(phoneNumber, country);
    if (number === null) {
      refuse(t('refusals.phone_number_invalid'));
      setBusy(false);
      return;
    }
    try {
      const contact = await call(routes.addContact, { body: { phoneNumber: number, displayName } });
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
        <PhoneField
          ref={numberField}
          autoComplete="off"
          label={t('contacts.phoneNumber')}
          placeholder={t('auth.phonePlaceholder')}
          error={error}
          value={phoneNumber}
          onValueChange={(typed) => {
            setPhoneNumber(typed);
            setError(null);
          }}
          country={country}
          onCountryChange={setCountry}
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
