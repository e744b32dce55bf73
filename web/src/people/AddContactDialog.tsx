import { routes, type RouteBodyInput } from '@nolo/api';
import { limits, normalizeUsername } from '@nolo/rules';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError } from '../api/request.ts';
import { call } from '../api/httpClient.ts';
import { toast } from '../ui/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { UsernameField } from '../ui/UsernameField.tsx';
import { PhoneField } from '../ui/phone/PhoneField.tsx';
import { readPhoneNumber } from '../ui/phone/readPhoneNumber.ts';
import { useContactAction } from './useContactAction.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { useInviteAction } from './useInviteAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';
import { refusalsTexts } from '../i18n/refusalsTexts.ts';

export interface AddContactDialogProps {
  onClose: () => void;
  /** Known number from a search. */
  phoneNumber?: string;
}

/** Adds a contact by number (spec section 5) or username. An unregistered number becomes an invitation. */
export function AddContactDialog({ onClose, phoneNumber: known = '' }: AddContactDialogProps) {
  const { t } = useTexts(contactsTexts, refusalsTexts);
  const words = useExplainFailure();
  const invite = useInviteAction();
  const field = useRef<HTMLInputElement>(null);
  const [by, setBy] = useState<'number' | 'username'>('number');
  const [username, setUsername] = useState('');
  const [phoneNumber, setPhoneNumber] = useState(known);
  const [country, setCountry] = useState<string | null>(null);
  const [displayName, setDisplayName] = useState('');
  const [error, setError] = useState<string | null>(null);

  const typing = (set: (typed: string) => void) => (typed: string) => {
    set(typed);
    setError(null);
  };

  const change = () => {
    flushSync(() => {
      setBy(by === 'username' ? 'number' : 'username');
      setError(null);
    });
    field.current?.focus();
  };

  const refuse = (message: string): undefined => {
    setError(message);
    field.current?.focus();
  };

  /** Returns the person to add, or undefined if the request was rejected. */
  const read = async () => {
    if (by === 'username') {
      if (username.trim() === '') return refuse(t('contacts:usernameRequired'));
      return normalizeUsername(username) === undefined ? refuse(t('contacts:usernameMissing')) : { username };
    }
    if (phoneNumber.trim() === '') return refuse(t('refusals:phone_number_required'));
    const number = await readPhoneNumber(phoneNumber, country);
    return number === null ? refuse(t('refusals:phone_number_invalid')) : { phoneNumber: number };
  };

  const adding = useContactAction(
    (body: RouteBodyInput<typeof routes.addContact>) => call(routes.addContact, { body }),
    {
      failure: (failure) => {
        const isNobody = by === 'username' && failure instanceof ApiError && failure.code === 'user_not_found';
        return refuse(isNobody ? t('contacts:usernameMissing') : words(failure, t('errors.addContact')));
      },
      onDone: ({ displayName: name, invitationUrl }) => {
        onClose();
        toast({
          kind: 'success',
          title: t('contacts:added'),
          ...(invitationUrl !== null && {
            description: t('contacts:addedUnregistered', { name }),
            action: { label: t('contacts:invite'), onSelect: () => void invite.share(invitationUrl) },
          }),
        });
      },
    },
  );
  const add = async () => {
    const whom = await read();
    if (whom !== undefined) await adding.run({ ...whom, displayName });
  };

  return (
    <FormDialog
      size="small"
      initialFocus={() => field.current}
      title={t('contacts:add')}
      description={t('contacts:addText')}
      submitLabel={t('contacts:add')}
      busyLabel={t('contacts:adding')}
      onClose={onClose}
      onSubmit={add}
    >
      {by === 'username' ? (
        <UsernameField
          ref={field}
          label={t('contacts:username')}
          error={error}
          value={username}
          onValueChange={typing(setUsername)}
        />
      ) : (
        <PhoneField
          ref={field}
          autoComplete="off"
          label={t('contacts:phoneNumber')}
          placeholder={t('auth.phonePlaceholder')}
          error={error}
          value={phoneNumber}
          onValueChange={typing(setPhoneNumber)}
          country={country}
          onCountryChange={setCountry}
        />
      )}
      <Button kind="quiet" size="small" className="-ms-3 -mt-3 self-start" onClick={change}>
        {t(by === 'username' ? 'contacts:byNumber' : 'contacts:byUsername')}
      </Button>
      <TextField
        autoComplete="off"
        maxLength={limits.contactNameLength}
        label={t('contacts:displayName')}
        hint={t('contacts:displayNameHint')}
        value={displayName}
        onChange={(event) => setDisplayName(event.target.value)}
      />
    </FormDialog>
  );
}
