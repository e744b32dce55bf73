import { routes } from '@nolo/api';
import { cleanName, limits } from '@nolo/rules';
import type { FormEvent } from 'react';
import { call } from '../../api/httpClient.ts';
import { useSelf } from '../../session/self.ts';
import { useFormStateAcrossNavigation } from '../../session/useFormStateAcrossNavigation.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { diffProfileDetails, toProfileDetails, isProfileUnchanged, type ProfileDetails } from './detailsForm.ts';
import { useUpdateSelf } from './useUpdateSelf.ts';
import { useTexts } from '../../i18n/texts.ts';
import { namingTexts } from './namingTexts.ts';
import { profileTexts } from './profileTexts.ts';

const noEdits: Partial<ProfileDetails> = {};

/** First and last name, and the status text that others see under them. */
export function DetailsCard() {
  const { t } = useTexts(namingTexts, profileTexts);
  const self = useSelf();
  // Contains only edited fields, so that changes from another device show here too.
  const [edits, setEdits] = useFormStateAcrossNavigation('details', noEdits);
  const { run, busy } = useUpdateSelf();

  const details = { ...toProfileDetails(self), ...edits };
  const change = diffProfileDetails(self, details);
  const missing = cleanName(details.firstName) === '';
  const set = (patch: Partial<ProfileDetails>) =>
    setEdits((known) => {
      const next = { ...known, ...patch };
      return isProfileUnchanged(self, next) ? noEdits : next;
    });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (change === null || missing || busy) return;
    // Refused input stays in the fields, so the store is only updated after success.
    if (await run({ save: () => call(routes.updateProfile, { body: change }) })) setEdits(noEdits);
  };

  return (
    <Card title={t('profile:details')}>
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            name="firstName"
            autoComplete="given-name"
            maxLength={limits.nameLength}
            label={t('naming:firstName')}
            error={missing ? t('naming:firstNameRequired') : null}
            value={details.firstName}
            onChange={(event) => set({ firstName: event.target.value })}
          />
          <TextField
            name="lastName"
            autoComplete="family-name"
            maxLength={limits.nameLength}
            label={t('naming:lastName')}
            value={details.lastName}
            onChange={(event) => set({ lastName: event.target.value })}
          />
        </div>
        <TextField
          name="statusMessage"
          maxLength={limits.statusMessageLength}
          label={t('profile:statusMessage')}
          placeholder={t('profile:statusPlaceholder')}
          inputClassName="pe-18!"
          trailing={
            <span aria-hidden="true" className="tabular absolute end-3 text-12">
              {details.statusMessage.length}/{limits.statusMessageLength}
            </span>
          }
          value={details.statusMessage}
          onChange={(event) => set({ statusMessage: event.target.value })}
        />
        <div className="flex justify-end gap-2">
          {change !== null && !busy && (
            <Button kind="quiet" onClick={() => setEdits(noEdits)}>
              {t('common.cancel')}
            </Button>
          )}
          <Button type="submit" disabled={change === null || missing} busy={busy}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
