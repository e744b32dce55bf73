import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/Button.tsx';
import { LogoIcon } from '../ui/Logo.tsx';
import { PlainIconButton } from '../ui/PlainIconButton.tsx';
import { TextField } from '../ui/TextField.tsx';

/**
 * Phone form placeholder until the app's code loads, for people who have signed in by phone on this device before. Like
 * the chats frame, it is part of the document.
 */
export function PhoneSignInSkeleton() {
  const { t } = useTranslation();
  return (
    <div
      aria-hidden="true"
      inert
      className="h-dvh overflow-clip bg-page px-5 pt-[calc(env(safe-area-inset-top)+0.75rem)]"
    >
      <PlainIconButton label={t('common.back')} icon={<ArrowLeft className="rtl:-scale-x-100" />} />
      <div className="mx-auto w-full max-w-90 pt-[clamp(1rem,9dvh,6rem)]">
        <LogoIcon className="size-11" />
        <h1 className="mt-6 text-24 font-semibold tracking-tight text-balance">{t('auth.phoneTitle')}</h1>
        <div className="h-1.5" />
        <p className="mb-7 text-14 text-muted">{t('phoneForm.phoneLead')}</p>
        <TextField
          size="large"
          steady
          readOnly
          label={t('auth.phoneLabel')}
          hint={t('phoneForm.phoneHint')}
          value=""
          inputClassName="bg-raised!"
        />
        <Button size="large" wide className="mt-1">
          {t('auth.continue')}
        </Button>
      </div>
    </div>
  );
}
