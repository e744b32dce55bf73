import type { StatusBackground } from '@nolo/rules';
import { countCharacters, limits, statusBackgroundColors, statusFonts, toReadableStatusBackground } from '@nolo/rules';
import { Check } from 'lucide-react';
import { useId } from 'react';
import { Segmented } from '../ui/Segmented.tsx';
import { Select } from '../ui/Select.tsx';
import type { StatusForm } from './model/statusForm.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

export interface StatusFieldsProps {
  form: StatusForm;
  onForm: (form: StatusForm) => void;
  error: string | null;
}

/** Number of remaining characters below which the counter shows. */
const fewLeft = 50;

export function CharactersLeft({ text }: { text: string }) {
  const { t } = useTexts(statusTexts);
  const left = limits.statusCaptionLength - countCharacters(text.trim());
  return (
    <p role="status" className="tabular text-end text-12 text-muted">
      {left <= fewLeft && t('status:create.left', { count: left })}
    </p>
  );
}

/** Text field with the look of the final status update: color and font. */
export function TextStatusFields({ form, onForm, error }: StatusFieldsProps) {
  const { t } = useTexts(statusTexts);
  const message = useId();
  const { text, backgroundColor, textColor, font } = form;
  return (
    <>
      <div>
        <textarea
          value={text}
          onChange={(event) => onForm({ ...form, text: event.target.value })}
          aria-label={t('status:create.words')}
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : message}
          placeholder={t('status:create.placeholder')}
          dir="auto"
          rows={6}
          className="block aspect-4/3 w-full resize-none content-center rounded-card p-5 text-center text-20 leading-snug font-medium outline-offset-2 placeholder:text-current placeholder:opacity-100 forced-colors:border"
          style={{
            backgroundColor: toReadableStatusBackground(backgroundColor, textColor),
            color: textColor,
            fontFamily: font,
          }}
        />
        <p id={message} role="alert" className="mt-1.5 text-13 text-danger-text empty:hidden">
          {error}
        </p>
        <CharactersLeft text={text} />
      </div>
      <Backgrounds value={backgroundColor} onValue={(color) => onForm({ ...form, backgroundColor: color })} />
      <Segmented
        label={t('status:create.textColor')}
        value={textColor}
        onValueChange={(color) => onForm({ ...form, textColor: color })}
        options={[
          { value: '#FFFFFF', label: t('status:create.white') },
          { value: '#000000', label: t('status:create.black') },
        ]}
      />
      <Select
        label={t('status:create.font')}
        value={font}
        onValueChange={(value) => onForm({ ...form, font: value })}
        options={statusFonts.map((value) => ({ value, label: value }))}
      />
    </>
  );
}

function Backgrounds({ value, onValue }: { value: StatusBackground; onValue: (color: StatusBackground) => void }) {
  const { t } = useTexts(statusTexts);
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-13 font-medium">{t('status:create.background')}</legend>
      {/* Rows with equal numbers of colors. */}
      <div className="grid grid-cols-[repeat(5,auto)] justify-between gap-y-2 sm:grid-cols-[repeat(10,auto)]">
        {statusBackgroundColors.map((color) => (
          <label
            key={color}
            className="relative flex size-9 cursor-pointer forced-color-adjust-none items-center justify-center rounded-full border border-line has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
            style={{ backgroundColor: color }}
          >
            <input
              type="radio"
              name={name}
              value={color}
              checked={color === value}
              onChange={() => onValue(color)}
              aria-label={t('status:create.backgroundNamed', { color: t(`status:create.colors.${color}`) })}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {color === value && (
              <span className="flex size-5 items-center justify-center rounded-full bg-[rgb(0_0_0/0.6)] text-[#fff]">
                <Check aria-hidden="true" className="size-3.5" />
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
