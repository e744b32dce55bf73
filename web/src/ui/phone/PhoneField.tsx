import { useId, type InputHTMLAttributes, type Ref } from 'react';
import { classNames } from '../classNames.ts';
import { Field, inputClasses, type FieldFrameProps } from '../field.tsx';
import { usePhoneNumberModule } from './loadPhoneNumberModule.ts';

export interface PhoneFieldProps
  extends
    FieldFrameProps,
    Pick<InputHTMLAttributes<HTMLInputElement>, 'name' | 'autoComplete' | 'autoFocus' | 'placeholder'> {
  value: string;
  onValueChange: (value: string) => void;
  /** Country for numbers without a calling code: ISO 3166, two letters. Null: derived from the languages. */
  country: string | null;
  onCountryChange: (country: string) => void;
  size?: 'medium' | 'large';
  ref?: Ref<HTMLInputElement>;
}

/** Field for a phone number with its country. Inserts the usual spaces during typing. */
export function PhoneField({
  label,
  hideLabel,
  hint,
  error,
  steady,
  value,
  onValueChange,
  country,
  onCountryChange,
  size = 'medium',
  ref,
  ...rest
}: PhoneFieldProps) {
  const id = useId();
  const numbers = usePhoneNumberModule();
  const type = (input: HTMLInputElement) => {
    const { value: typed, selectionEnd } = input;
    // Edits in the middle and deletions stay unformatted, because changing spaces would move the cursor.
    const appended = typed.length > value.length && selectionEnd === typed.length;
    onValueChange(appended && numbers ? numbers.formatTyped(typed, country) : typed);
  };
  return (
    <Field id={id} label={label} hideLabel={hideLabel} hint={hint} error={error} steady={steady}>
      <div dir="ltr" className="flex">
        {numbers === null ? (
          // The picker loads with the country data, and its space stays reserved.
          <span
            className={classNames(
              inputClasses,
              'w-26! shrink-0 rounded-e-none border-e-0',
              size === 'large' ? 'h-12' : 'h-10 pointer-coarse:h-11',
            )}
          />
        ) : (
          <numbers.CountryPicker
            country={numbers.countryOfTyped(value, country)}
            size={size}
            onChoose={(chosen) => {
              onCountryChange(chosen);
              onValueChange(numbers.changeCountry(value, chosen));
            }}
          />
        )}
        <input
          {...rest}
          ref={ref}
          id={id}
          type="tel"
          inputMode="tel"
          maxLength={40}
          aria-invalid={error ? true : undefined}
          aria-describedby={
            classNames(
              steady && hint !== undefined && `${id}-hint`,
              (Boolean(error) || hint !== undefined) && `${id}-message`,
            ) || undefined
          }
          className={classNames(
            inputClasses,
            'tabular min-w-0 flex-1 rounded-s-none',
            size === 'large' ? 'h-12 px-4 text-16 max-[22rem]:px-3' : 'h-10 px-3 pointer-coarse:h-11',
          )}
          value={value}
          onChange={(event) => type(event.target)}
        />
      </div>
    </Field>
  );
}
