import { routes } from '@nolo/api';
import { limits } from '@nolo/rules';
import { useRef, useState } from 'react';
import { call } from '../api/httpClient.ts';
import { enRefusals } from '../i18n/enRefusals.ts';
import { addWords } from '../i18n/i18n.ts';
import { toast } from '../ui/toasts.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
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
  const numberField = useRef<HTMLInputElement>(null);
  const [phoneNumber, setPhoneNumber] = useState(known);
  const [country, setCountry] = useState<string | null>(null);
  const [displayName, setDisplayName] = useState('');
  const [error, setError] = useState<string | null>(null);

  const refuse = (message: string) => {
    setError(message);
    numberField.current?.focus();
  };

  const add = async () => {
    if (phoneNumber.trim() === '') {
      refuse(t('refusals.phone_number_required'));
      return;
    }
    const number = await readPhoneNumber(phoneNumber, country);
    if (number === null) {
      refuse(t('refusals.phone_number_invalid'));
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
    }
  };

  return (
    <FormDialog
      size="small"
      initialFocus={() => numberField.current}
      title={t('contacts.add')}
      description={t('contacts.addText')}
      submitLabel={t('contacts.add')}
      busyLabel={t('contacts.adding')}
      onClose={onClose}
      onSubmit={add}
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
    </FormDialog>
  );
}
