import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { classNames } from './classNames.ts';
import { Field, inputClasses, type FieldFrameProps } from './field.tsx';

export interface SelectProps<Value extends string> extends FieldFrameProps {
  value: Value;
  onValueChange: (value: Value) => void;
  options: { value: Value; label: string }[];
  disabled?: boolean;
  className?: string;
}

/** Choice among options as a native select, which suits every device. */
export function Select<Value extends string>({
  label,
  hideLabel,
  hint,
  error,
  value,
  onValueChange,
  options,
  disabled,
  className,
}: SelectProps<Value>) {
  const id = useId();
  return (
    <Field id={id} label={label} hideLabel={hideLabel} hint={hint} error={error} className={className}>
      <div className="relative">
        <select
          id={id}
          value={value}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-message` : undefined}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.target.value);
            if (chosen) onValueChange(chosen.value);
          }}
          className={classNames(
            inputClasses,
            // CSS treats a select as read-only, although it is not.
            'h-10 appearance-none truncate bg-raised! ps-3 pe-9 pointer-coarse:h-11',
          )}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} className="bg-overlay text-ink">
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 end-3 my-auto size-4 text-muted"
        />
      </div>
    </Field>
  );
}
