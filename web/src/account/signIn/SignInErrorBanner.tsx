import { CircleAlert, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Banner } from '../../ui/Banner.tsx';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { readErrorReason, signInErrors, withoutParameter } from './signInErrors.ts';
import { useTexts } from '../../i18n/texts.ts';
import { signInErrorsTexts } from './signInErrorsTexts.ts';

/** Explains why the user is back on the landing page without a session. */
export function SignInErrorBanner() {
  const { t } = useTexts(signInErrorsTexts);
  const [reason, setReason] = useState(() => readErrorReason(location.search, 'sign_in_error', signInErrors));
  // Reloading the page or signing in from here starts without the error.
  useEffect(() => {
    if (reason !== null) history.replaceState(null, '', withoutParameter(location, 'sign_in_error'));
  }, [reason]);
  if (reason === null) return null;
  return (
    <Banner
      tone={reason === 'cancelled' ? 'neutral' : 'danger'}
      icon={<CircleAlert />}
      className="pt-[calc(env(safe-area-inset-top)+0.375rem)]"
      dismiss={
        <PlainIconButton
          size="small"
          label={t('common.dismiss')}
          icon={<X />}
          className="text-inherit"
          onClick={() => setReason(null)}
        />
      }
    >
      {t(`signInErrors:${reason}`)}
    </Banner>
  );
}
