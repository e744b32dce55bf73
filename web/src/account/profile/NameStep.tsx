import { routes } from '@nolo/api';
import { cleanName, formatFullName, limits } from '@nolo/rules';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { signOut } from '../../session/endSession.ts';
import { ScrollPage } from '../../shell/ScrollPage.tsx';
import { useSelf } from '../../session/self.ts';
import { readTimeZone } from '../../session/accountLanguage.ts';
import { useExplainFailure } from '../../i18n/useExplainFailure.ts';
import { sessionStore } from '../../session/session.ts';
import type { ShownFailure } from '../../ui/failures.ts';
import { FailureAlert } from '../../ui/FailureAlert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAction } from '../../ui/useAction.ts';
import { OwnPictureEditor } from './OwnPictureEditor.tsx';
import { useRevealApp } from '../../shell/reveal.ts';
import { useTexts } from '../../i18n/texts.ts';
import { namingTexts } from './namingTexts.ts';

/** Step after the first sign-in: a name, and an optional picture (decision 6). */
export function NameStep() {
  const { t } = useTexts(namingTexts);
  useRevealApp();
  const self = useSelf();
  const [firstName, setFirstName] = useState(self.firstName);
  const [lastName, setLastName] = useState(self.lastName);
  const [missing, setMissing] = useState(false);
  const [failure, setFailure] = useState<ShownFailure | null>(null);
  const explain = useExplainFailure();
  const { run, busy } = useAction(routes.updateProfile, {
    // Shown inside the form.
    failure: (error) => {
      setFailure({ title: t('errors.updateProfile'), description: explain(error) });
    },
    onDone: sessionStore.getState().signedIn,
  });
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = `${t('naming:title')} · ${t('common.productName')}`;
  }, [t]);

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (cleanName(firstName) === '') {
      setMissing(true);
      field.current?.focus();
      return;
    }
    setFailure(null);
    void run({ body: { firstName, lastName, timeZone: readTimeZone() } });
  };

  return (
    <ScrollPage>
      <main className="flex min-h-full flex-col px-5 pt-[calc(env(safe-area-inset-top)+0.75rem)] pb-8">
        <header className="mx-auto flex w-full max-w-300 items-center justify-between">
          <Logo />
          <Button kind="quiet" onClick={() => void signOut()}>
            {t('naming:logout')}
          </Button>
        </header>
        <form noValidate onSubmit={save} className="m-auto flex w-full max-w-90 flex-col py-8">
          <h1 className="text-24 font-semibold tracking-tight text-balance">{t('naming:title')}</h1>
          <p className="mt-1.5 text-14 text-muted">{t('naming:lead')}</p>
          <div className="mt-7 flex items-center gap-5">
            <OwnPictureEditor name={formatFullName(firstName, lastName)} />
            <p className="min-w-0 flex-1 text-13 text-muted">{t('naming:pictureOffer')}</p>
          </div>
          <TextField
            ref={field}
            className="mt-7"
            size="large"
            name="firstName"
            autoComplete="given-name"
            autoFocus
            required
            maxLength={limits.nameLength}
            label={t('naming:firstName')}
            error={missing ? t('naming:firstNameRequired') : null}
            value={firstName}
            onChange={(event) => {
              setFirstName(event.target.value);
              setMissing(false);
            }}
          />
          <TextField
            className="mt-4"
            size="large"
            name="lastName"
            autoComplete="family-name"
            maxLength={limits.nameLength}
            label={t('naming:lastNameOptional')}
            value={lastName}
            onChange={(event) => setLastName(event.target.value)}
          />
          {failure && <FailureAlert failure={failure} className="mt-4" />}
          <Button type="submit" size="large" wide className="mt-6" busy={busy}>
            {t('auth.continue')}
          </Button>
        </form>
      </main>
    </ScrollPage>
  );
}
