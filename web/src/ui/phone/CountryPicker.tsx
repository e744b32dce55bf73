import { ChevronDown } from 'lucide-react';
import { startTransition, useEffect, useMemo, useState } from 'react';
import { useLocale } from '../../i18n/locale.ts';
import { classNames } from '../classNames.ts';
import { inputClasses } from '../field.tsx';
import { phoneCountries } from './phoneNumbers.ts';
import { useTexts } from '../../i18n/texts.ts';

/** Options rendered at once. */
const atOnce = 50;

interface CountryPickerProps {
  country: string;
  size: 'medium' | 'large';
  onChoose: (country: string) => void;
}

/** Native select of countries, which suits every device, under a short text of the choice. */
export function CountryPicker({ country, size, onChoose }: CountryPickerProps) {
  const { t } = useTexts();
  const locale = useLocale();
  const options = useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'region' });
    const { compare } = new Intl.Collator(locale);
    return phoneCountries
      .map(({ code, callingCode }) => ({ code, callingCode, name: names.of(code) ?? code }))
      .toSorted((a, b) => compare(a.name, b.name));
  }, [locale]);
  // The chosen country is rendered immediately and the others in several passes, because all together are as large as
  // the surrounding form.
  const [drawn, setDrawn] = useState(0);
  const whole = drawn >= options.length;
  useEffect(() => {
    if (!whole) startTransition(() => setDrawn(drawn + atOnce));
  }, [drawn, whole]);
  const shown = whole ? options : options.filter(({ code }, index) => index < drawn || code === country);
  const callingCode = options.find(({ code }) => code === country)?.callingCode;
  return (
    <span className="relative w-26 shrink-0">
      <select
        aria-label={t('phone.country')}
        value={callingCode === undefined ? '' : country}
        onChange={(event) => onChoose(event.target.value)}
        className={classNames(
          inputClasses,
          // The select's own text is the long name from the list, so the short choice covers it.
          'cursor-pointer appearance-none rounded-e-none border-e-0 bg-raised! text-transparent',
          size === 'large' ? 'h-12' : 'h-10 pointer-coarse:h-11',
        )}
      >
        {callingCode === undefined && <option value="">{country}</option>}
        {shown.map(({ code, name, callingCode: digits }) => (
          <option key={code} value={code} className="bg-overlay text-ink">
            {`${name} (+${digits})`}
          </option>
        ))}
      </select>
      <span
        aria-hidden="true"
        className={classNames(
          'pointer-events-none absolute inset-0 flex items-center gap-1.5 ps-3.5 pe-2.5',
          size === 'large' ? 'text-16' : 'text-14 pointer-coarse:text-16',
        )}
      >
        <span className="text-muted">{country}</span>
        <span className="tabular flex-1">{callingCode !== undefined && `+${callingCode}`}</span>
        <ChevronDown className="size-4 shrink-0 text-muted" />
      </span>
    </span>
  );
}
