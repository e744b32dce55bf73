import { useLocale } from '../../i18n/locale.ts';
import { Button } from '../../ui/Button.tsx';
import type { PhoneVerification } from './usePhoneVerification.ts';
import { useTexts } from '../../i18n/texts.ts';
import { replacedTexts } from './replacedTexts.ts';

/** Choice for a number that recently left an account (decision 38): that account, or a new one. */
export function ReplacedNumberChoice({ verification: { form, verify } }: { verification: PhoneVerification }) {
  const { t } = useTexts(replacedTexts);
  const locale = useLocale();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(Date.parse(form.replacedAt ?? ''));
  const busy = form.busy === 'verifying';
  return (
    <section aria-labelledby="replaced" className="mt-6">
      <h1 id="replaced" className="text-24 font-semibold tracking-tight text-balance">
        {t('replaced:title')}
      </h1>
      <p className="mt-1.5 mb-7 text-14 text-muted">{t('replaced:text', { date })}</p>
      <Button size="large" wide busy={busy} autoFocus onClick={() => void verify(true)}>
        {t('replaced:takeBack')}
      </Button>
      <Button size="large" wide kind="secondary" className="mt-2" disabled={busy} onClick={() => void verify(false)}>
        {t('replaced:beginAnew')}
      </Button>
    </section>
  );
}
